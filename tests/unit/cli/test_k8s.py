"""`partywall k8s`: what it prints, as text and as data, and how it ends."""

from pathlib import Path

import pytest

from partywall.errors import UsageError
from tests.unit.cli.k8s_folders import ARN, READER, data, eks, run, write
from tests.unit.kube import binding, namespace, role


def test_the_whole_answer_names_binding_and_role_with_their_lines(tmp_path: Path) -> None:
    result = run(write(tmp_path), "can", "sa:vision/web", "get", "pods", "-n", "vision")

    assert result.stdout.splitlines() == [
        "allowed",
        "sa:vision/web get pods in namespace vision of cluster",
        "",
        "RBAC: allows",
        "  allows: RoleBinding vision/readers gives Role reader to ServiceAccount vision/web",
        "    because k8s.yaml:38 /3/subjects/0",
        "    because k8s.yaml:33 /3/roleRef",
        "    because k8s.yaml:20 /2/rules/0",
    ]
    assert result.return_value == 1


@pytest.mark.parametrize(
    ("question", "first", "code"),
    [
        pytest.param("sa:vision/web get pods", "allowed in namespace vision", 1, id="where, if that was left open"),
        pytest.param("sa:vision/web get pods -n speech", "denied", 0, id="another namespace"),
        pytest.param("sa:vision/web get pods -A", "denied", 0, id="not in all at once"),
        pytest.param("system:serviceaccount:vision:web list pods -n vision", "allowed", 1, id="by its user name"),
        pytest.param("sa:vision/web get pods/exec -n vision", "denied", 0, id="a subresource is another resource"),
        pytest.param("sa:vision/web get pods/web-0 -n vision", "allowed", 1, id="one by its name"),
        pytest.param("sa:vision/web get pods.metrics.k8s.io -n vision", "denied", 0, id="another API group"),
        pytest.param("group:system:serviceaccounts:vision get pods", "denied", 0, id="a group that nobody bound"),
        pytest.param("group:system:masters delete nodes", "allowed", 1, id="masters may do everything"),
        pytest.param("user:ann --group system:masters get /metrics", "allowed", 1, id="a user in masters"),
    ],
)
def test_the_first_line_and_the_exit_code_are_the_answer(tmp_path: Path, question: str, first: str, code: int) -> None:
    result = run(write(tmp_path), "can", *question.split())

    assert (result.stdout.splitlines()[0], result.return_value) == (first, code)


def test_what_only_some_names_give_says_so(tmp_path: Path) -> None:
    rules = "rules:\n- {apiGroups: [''], resources: [secrets], verbs: [get], resourceNames: [db, cache]}\n"
    named = f"---\napiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {{name: named, namespace: vision}}\n{rules}"
    folder = write(tmp_path, namespace("vision") + named + binding("b", "Role/named", "User:ann", "vision"))

    assert run(folder, "can", "user:ann", "get", "secrets", "-n", "vision").stdout.startswith("allowed, only named db, cache\n")
    assert run(folder, "can", "user:ann", "get", "secrets", "-n", "vision", "--name", "db").stdout.startswith("allowed\n")
    assert run(folder, "can", "user:ann", "get", "secrets/other", "-n", "vision").return_value == 0


def test_a_no_is_open_where_lists_are_missing_unless_the_input_is_said_to_be_complete(tmp_path: Path) -> None:
    folder = write(tmp_path, listed=False)
    question = ("can", "sa:vision/web", "delete", "pods", "-n", "vision")
    result = run(folder, *question)

    assert result.stdout.splitlines()[0] == (
        "not decidable: not every ClusterRoleBinding of cluster is in the input; not every RoleBinding of cluster is in the input"
    )
    assert result.return_value == 3
    assert run(folder, *question, "--complete").return_value == 0
    # A yes stands whatever else there is.
    assert run(folder, "can", "sa:vision/web", "get", "pods", "-n", "vision").return_value == 1


def test_a_role_that_is_not_there_leaves_it_open(tmp_path: Path) -> None:
    folder = write(tmp_path, READER + binding("lost", "ClusterRole/lost", "ServiceAccount:vision/web", "vision"))
    (folder / "kubectl-get-clusterroles.json").unlink()
    result = run(folder, "can", "sa:vision/web", "delete", "pods", "-n", "vision")

    assert result.stdout.splitlines()[0] == "not decidable: ClusterRole lost, which RoleBinding lost refers to, is not among the files"
    assert run(folder, "can", "sa:vision/web", "delete", "pods", "-n", "speech").return_value == 0


def test_a_role_of_kubernetes_is_assumed_and_said(tmp_path: Path) -> None:
    folder = write(tmp_path, namespace("vision") + binding("v", "ClusterRole/view", "User:ann", "vision"))
    result = run(folder, "can", "user:ann", "get", "pods", "-n", "vision")

    assert "  allows: RoleBinding vision/v gives ClusterRole view (as Kubernetes makes it) to User ann" in result.stdout.splitlines()
    assert "note: assumed: ClusterRole view as Kubernetes 1.36 makes them, since the input leaves them out" in result.stdout


def test_what_anonymous_may_everybody_may_on_a_condition(tmp_path: Path) -> None:
    folder = write(tmp_path, READER + role("open", "get secrets") + binding("open", "ClusterRole/open", "Group:system:unauthenticated"))
    condition = "the API server of the cluster answers anonymous requests (EKS does so for health checks only from version 1.32 on)"

    for subject in ("anonymous", "sa:vision/web", "group:system:unauthenticated"):
        result = run(folder, "can", subject, "get", "secrets", "-n", "vision")
        assert (result.stdout.splitlines()[0], result.return_value) == (f"allowed if {condition}", 1), subject


def test_a_no_says_what_the_subject_may_make_itself_able_to(tmp_path: Path) -> None:
    rules = "create rolebindings rbac.authorization.k8s.io;bind clusterroles rbac.authorization.k8s.io"
    folder = write(tmp_path, READER + role("binder", rules, "vision") + binding("b", "Role/binder", "User:ann", "vision"))
    found = run(folder, "can", "user:ann", "get", "secrets", "-n", "vision").stdout.splitlines()

    assert found[0] == "denied"
    assert "  rewrites roles of namespace/vision: may bind any ClusterRole to itself here (binder)" in found
    assert "may also make itself able to do more:" not in run(folder, "can", "user:ann", "get", "secrets", "-n", "speech").stdout


def test_an_iam_principal_has_its_groups_its_user_name_and_its_access_policies(tmp_path: Path) -> None:
    objects = READER + role("logs", "get pods/log", "speech") + binding("l", "Role/logs", "Group:dev", "speech")
    folder = write(tmp_path, objects, files=eks(("AmazonEKSViewPolicy", "vis*"), groups=("dev",)))

    by_policy = run(folder, "can", ARN, "get", "pods", "-n", "vision").stdout.splitlines()
    assert f"  allows: access policy AmazonEKSViewPolicy of {ARN} in namespaces vis*" in by_policy
    by_group = run(folder, "can", "dev", "get", "pods/log", "-n", "speech").stdout.splitlines()
    assert f"comes in by access entry of {ARN}: the user name of its STS identity, groups dev" in by_group
    assert "  allows: RoleBinding speech/l gives Role logs to Group dev" in by_group
    assert run(folder, "can", ARN, "get", "pods", "-n", "speech").return_value == 0


def test_an_access_policy_that_nobody_knows_leaves_everything_open_where_it_holds(tmp_path: Path) -> None:
    folder = write(tmp_path, files=eks(("AmazonEKSFuturePolicy", "vision")))
    result = run(folder, "can", ARN, "delete", "jobs", "-n", "vision")

    told = "AmazonEKSFuturePolicy, whose content is not known, and it holds in namespace vision"
    assert (result.stdout.splitlines()[0], result.return_value) == (f"not decidable: {told}", 3)
    assert run(folder, "can", ARN, "delete", "jobs", "-n", "speech").return_value == 0


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ("aws-eks-describe-access-entry--dev.json", f"the user name and groups of the access entry of {ARN} on lab"),
        ("aws-eks-list-associated-access-policies--dev.json", f"the access policies of the access entry of {ARN} on lab"),
    ],
)
def test_an_access_entry_that_was_not_opened_leaves_it_open(tmp_path: Path, missing: str, why: str) -> None:
    folder = write(tmp_path, files=eks())
    assert run(folder, "can", ARN, "get", "pods", "-n", "vision").return_value == 0

    (folder / missing).unlink()
    result = run(folder, "can", ARN, "get", "pods", "-n", "vision")

    assert (result.stdout.splitlines()[0], result.return_value) == (f"not decidable: {why}", 3)


def test_a_user_name_of_a_session_is_a_condition_unless_the_session_is_known(tmp_path: Path) -> None:
    name = "arn:aws:sts::111122223333:assumed-role/dev/ann"
    folder = write(tmp_path, READER + binding("s", "Role/reader", f"User:{name}", "vision"), files=eks())
    question = ("get", "pods", "-n", "vision")

    assert run(folder, "can", ARN, *question).stdout.splitlines()[0] == "allowed if the session of role dev is named ann"
    assert run(folder, "can", name, *question).stdout.splitlines()[0] == "allowed"
    assert run(folder, "can", name.replace("/ann", "/bob"), *question).return_value == 0


def test_who_can_lists_all_with_what_decides(tmp_path: Path) -> None:
    folder = write(tmp_path, files=eks(("AmazonEKSClusterAdminPolicy", "")))
    result = run(folder, "who-can", "get", "pods", "-n", "vision")

    assert result.stdout.splitlines() == [
        "2 may get pods in namespace vision of lab",
        f"  {ARN}: allowed",
        f"      by access policy AmazonEKSClusterAdminPolicy of {ARN} in the whole cluster",
        "      because aws-eks-list-associated-access-policies--dev.json:7 /associatedAccessPolicies/0/accessScope",
        "  sa:vision/web: allowed",
        "      by RoleBinding vision/readers gives Role reader to ServiceAccount vision/web",
        "      because k8s.yaml:38 /3/subjects/0",
        "      because k8s.yaml:33 /3/roleRef",
        "      because k8s.yaml:20 /2/rules/0",
        "",
        "note: members of group system:masters may do everything; who holds its certificates is not in the input",
    ]
    assert result.return_value == 1


def test_nobody_is_an_answer_only_where_everything_was_listed(tmp_path: Path) -> None:
    folder = write(tmp_path)
    result = run(folder, "who-can", "delete", "secrets")
    assert (result.stdout.splitlines()[0], result.return_value) == ("nobody may delete secrets in any namespace of cluster", 0)

    (folder / "kubectl-get-rolebindings.json").unlink()
    result = run(folder, "who-can", "delete", "secrets")
    assert result.return_value == 3
    assert "note: not read: not every RoleBinding of cluster is in the input; kubectl get rolebindings -A -o json" in result.stdout


def test_a_document_that_cannot_be_read_leaves_a_no_open(tmp_path: Path) -> None:
    folder = write(tmp_path)
    (folder / "broken.yaml").write_text(
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: x\n  - [", encoding="utf-8"
    )
    result = run(folder, "can", "sa:vision/web", "get", "secrets", "-n", "vision")

    assert result.return_value == 3
    assert "broken.yaml" in result.stdout.splitlines()[0]


def test_the_answer_as_data_keeps_its_shape(tmp_path: Path) -> None:
    found = data(write(tmp_path), "can", "sa:vision/web", "get", "po", "-n", "vision")

    (answer,) = found.pop("answers")
    assert found == {
        "schema": "partywall/k8s-can/v1",
        "subject": "sa:vision/web",
        "verb": "get",
        "group": "",
        "resource": "pods",
        "namespace": "vision",
        "name": "",
    }
    assert list(answer) == ["cluster", "outcome", "condition", "namespaces", "names", "ways_in", "steps", "may_become", "notes"]
    ((step,),) = ([one["grants"] for one in answer["steps"]],)
    assert step[0]["evidence"][0] == {"document": "k8s.yaml", "pointer": "/3/subjects/0", "line": 38}
    assert (answer["outcome"], answer["condition"], step[0]["certainty"]) == ("allowed", {"always": True}, "sure")


def test_who_can_as_data_keeps_its_shape(tmp_path: Path) -> None:
    found = data(write(tmp_path), "who-can", "list", "pods")

    (answer,) = found["answers"]
    assert (found["schema"], list(answer)) == ("partywall/k8s-who-can/v1", ["cluster", "subjects", "notes"])
    assert [(row["subject"], row["outcome"], row["namespaces"]) for row in answer["subjects"]] == [("sa:vision/web", "allowed", ["vision"])]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("sa:vision/wep get pods", "did you mean sa:vision/web"),
        ("user:nobody get pods", "it knows none; what everybody may who signs in is asked with group:system:authenticated"),
        ("web get pods", "web: no subject; write user:NAME, group:NAME, sa:NAMESPACE/NAME, an IAM ARN"),
        ("sa:vision/web get pods -n visoin", "no namespace of the input is called visoin; did you mean vision?"),
        ("sa:vision/web gte pods", "gte is no verb; did you mean get?"),
        ("sa:vision/web get podz", "podz: no such resource is known; did you mean pods"),
        ("sa:vision/web list /metrics", "list is no verb of a path"),
        ("sa:vision/web get pods --cluster lap", "no cluster of the input is called lap"),
        ("sa:vision/web get pods -A -n vision", "give one of them"),
        ("group:x get pods --group y", "group:x is no user"),
        ("arn:aws:iam::111122223333:role/dve get pods", "no IAM principal of the input is called"),
    ],
)
def test_a_wrong_question_says_what_is_wrong(tmp_path: Path, question: str, told: str) -> None:
    error = run(write(tmp_path), "can", *question.split()).exception

    assert isinstance(error, UsageError)
    assert told in str(error)


def test_hostile_names_move_no_cursor(tmp_path: Path) -> None:
    wild = "red\x1b[2J\u202e"
    folder = write(tmp_path, READER + binding("wild", "Role/reader", f"User:{wild}", "vision"))
    said = run(folder, "who-can", "get", "pods").stdout + run(folder, "can", f"user:{wild}", "get", "pods").stdout

    assert "\\x1b[2J\\u202e" in said
    assert not any(sign in said for sign in ("\x1b", "\u202e"))
