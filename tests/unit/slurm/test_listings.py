"""`sacctmgr -P show ...`: any columns, any version, and nothing lost in silence."""

import pytest

from partywall.model.document import Gap
from partywall.model.facts import Listed
from partywall.model.facts_slurm import Association, Qos, SlurmAccount, SlurmUser
from tests.unit.slurm_words import associations, document, parsed, users

OLD = """Cluster|Account|User|Partition|LFT|RGT|QOS
lab|root|||1|20|normal
lab|root|root||18|19|normal
lab|org|||2|17|normal
lab|vision|||3|8|normal
lab|train|||4|5|normal
lab|vision|ana||6|7|normal
lab|speech|||9|16|normal
"""
NEW = """Lineage|Account|User|Partition|QOS
/|root|||normal
/0-root/|root|root||normal
/org/|org|||normal
/org/vision/|vision|||normal
/org/vision/0-ana/|vision|ana||normal
/org/vision/train/|train|||normal
/org/speech/|speech|||normal
/0-ana/gpu/|root|ana|gpu|normal
"""
TREE = """Account|User|Share|QOS
root||1|normal
 root|root|1|normal
 org||1|normal
  vision||1|normal
   vision|ana|1|normal
   train||1|normal
  speech||1|normal
"""
NAMED = """QOS|User|ParentName|Account
normal||root|org
normal||org|vision
normal|ana||vision
normal||vision|train
normal||org|speech
normal|root||root
"""


@pytest.mark.parametrize(
    "text", [OLD, NEW, TREE, NAMED], ids=["LFT and RGT of 22.05", "lineage of 24.11", "tree", "ParentName, other order"]
)
def test_every_way_of_telling_the_tree_gives_the_same_parents(text: str) -> None:
    found = [fact for fact in parsed(associations(text)) if isinstance(fact, Association)]

    assert {fact.account: fact.parent for fact in found if fact.account != "root"} == {
        "org": "root",
        "vision": "org",
        "train": "vision",
        "speech": "org",
    }


def test_an_association_of_one_partition_keeps_it_and_its_accounts_place() -> None:
    (one,) = (fact for fact in parsed(associations(NEW)) if isinstance(fact, Association) and fact.partition)

    assert (one.account, one.user, one.partition, one.parent) == ("root", "ana", "gpu", "")


def test_a_listing_without_names_of_columns_is_a_gap_and_no_listing() -> None:
    found = parsed(associations("lab|root|||normal\nlab|vision|ana||normal\n"))

    (gap,) = found
    assert isinstance(gap, Gap)
    assert gap.what == "sacctmgr-show-assoc.txt names no column Account and User in its first row"
    assert gap.remedy == "sacctmgr show assoc, with -P, without -n, and with an explicit format= that holds no free text"


def test_a_bar_in_a_free_text_moves_no_other_field() -> None:
    text = "Account|Descr|Org|Coord Accounts\nroot|all|root|\nvision|see | hear|org|dee\n"

    found = [fact for fact in parsed(document("sacctmgr-show-account", text)) if isinstance(fact, SlurmAccount)]

    assert [(fact.name, fact.coordinators) for fact in found] == [("root", ()), ("vision", ("dee",))]


def test_too_many_fields_without_a_free_text_are_a_gap_and_the_other_rows_stay() -> None:
    found = parsed(associations("Account|User|QOS\nroot|root|normal\nvision|a|b|normal\nvision|ana|normal\n"))

    assert [fact.user for fact in found if isinstance(fact, Association)] == ["root", "ana"]
    assert [gap.what for gap in found if isinstance(gap, Gap)] == ["line 3 of sacctmgr-show-assoc.txt has 4 fields, and 3 are named"]
    assert not [fact for fact in found if isinstance(fact, Listed)]


def test_a_trailing_bar_as_p_prints_it_is_no_field() -> None:
    found = [fact for fact in parsed(associations("Account|User|QOS|\nroot|root|normal|\n")) if isinstance(fact, Association)]

    assert [(fact.account, fact.user, fact.qos) for fact in found] == [("root", "root", ("normal",))]


def test_what_a_plain_user_sees_is_no_whole_listing() -> None:
    mine = parsed(associations("Account|User|QOS\nvision|ana|normal\n"))
    nothing = parsed(associations("Account|User|QOS\n"))

    assert not [fact for fact in mine if isinstance(fact, Listed)]
    (gap,) = nothing
    assert isinstance(gap, Gap)
    assert gap.what == "sacctmgr-show-assoc.txt shows no row at all, not even root's, as a plain user sees them"


def test_a_listing_without_the_column_qos_says_so() -> None:
    (row, _) = parsed(associations("Account|User\nroot|root\n"))

    assert isinstance(row, Association)
    assert not row.qos_told


def test_users_with_their_level_and_what_they_coordinate() -> None:
    found = parsed(users("User|Default Account|AdminLevel|Coord Accounts\nroot||Administrator|\ndee||None|org,vision\n"))

    assert [(fact.name, fact.admin, fact.coordinates) for fact in found if isinstance(fact, SlurmUser)] == [
        ("root", "Administrator", ()),
        ("dee", "None", ("org", "vision")),
    ]


def test_users_with_their_associations_are_both() -> None:
    header = "User|Def Acct|Admin|Cluster|Account|Partition|QOS|Def QOS"
    text = f"{header}\nroot|root|None|lab|root||normal|\nana|vision|None|lab|vision|gpu|low,normal|low\n"

    (one,) = (fact for fact in parsed(users(text)) if isinstance(fact, Association) and fact.user == "ana")

    assert (one.account, one.partition, one.qos, one.default_qos) == ("vision", "gpu", ("low", "normal"), "low")


def test_accounts_with_their_associations_are_both() -> None:
    text = "Account|Descr|Org|Cluster|ParentName|User|QOS\nroot|r|r|lab|||normal\nvision|v|o|lab|root||normal\nvision|v|o|lab||ana|normal\n"

    found = [fact for fact in parsed(document("sacctmgr-show-account", text)) if isinstance(fact, Association)]

    assert [(fact.account, fact.user, fact.parent) for fact in found] == [("root", "", ""), ("vision", "", "root"), ("vision", "ana", "")]


def test_flags_of_an_account() -> None:
    found = parsed(document("sacctmgr-show-account", "Account|Descr|Org|Flags\nroot|||None\nvision|||UsersAreCoords\n"))

    assert [fact.flags for fact in found if isinstance(fact, SlurmAccount)] == [(), ("UsersAreCoords",)]


def test_qualities_and_whom_they_preempt() -> None:
    found = parsed(document("sacctmgr-show-qos", "Name|Preempt|PreemptMode|GrpTRES\nnormal||cluster|\nhigh|low,normal|cancel|gres/gpu=4\n"))

    assert [(fact.name, fact.preempts, fact.preempt_mode, dict(fact.limits)) for fact in found if isinstance(fact, Qos)] == [
        ("normal", (), "cluster", {}),
        ("high", ("low", "normal"), "cancel", {"GrpTRES": "gres/gpu=4"}),
    ]


DUMP = """# To edit this file start with a cluster line for the new cluster
QOS - 'high':Description='high':Preempt='normal'
Cluster - 'lab':Fairshare=1:QOS='normal'
Parent - 'root'
User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1
Account - 'org':Description='a: b':Organization='org'
Parent - 'org'
Account - 'vision':Description='v':GrpTRES=gres/gpu=6:QOS='+high'
Parent - 'vision'
User - 'ana':Partition='gpu':DefaultAccount='vision':Fairshare=1
User - 'dee':DefaultAccount='vision':Coordinator='org,vision':AdminLevel='Operator'
"""


def test_a_dump_holds_the_tree_the_levels_and_the_coordinators() -> None:
    found = parsed(document("sacctmgr-dump", DUMP))

    rows = [fact for fact in found if isinstance(fact, Association)]
    assert [(fact.account, fact.user, fact.partition, fact.parent) for fact in rows] == [
        ("root", "", "", ""),
        ("root", "root", "", ""),
        ("org", "", "", "root"),
        ("vision", "", "", "org"),
        ("vision", "ana", "gpu", "org"),
        ("vision", "dee", "", "org"),
    ]
    assert not any(fact.qos_told for fact in rows)
    assert rows[3].limits == {"GrpTRES": "gres/gpu=6"}
    assert [(fact.name, fact.admin, fact.coordinates) for fact in found if isinstance(fact, SlurmUser)][-1] == (
        "dee",
        "Operator",
        ("org", "vision"),
    )


def test_a_line_of_a_dump_that_is_none_is_a_gap() -> None:
    found = parsed(document("sacctmgr-dump", "Parent - 'root'\nwhat is this\n"))

    assert [gap.what for gap in found if isinstance(gap, Gap)] == ["line 2 of sacctmgr-dump.txt is no line of a dump"]
    assert not [fact for fact in found if isinstance(fact, Listed)]


MANAGER = """Current Association Manager state

User Records

UserName=ana(7001) DefAccount=vision DefWckey= AdminLevel=None
UserName=root(0) DefAccount=root DefWckey= AdminLevel=Administrator

Association Records

ClusterName=lab Account=root UserName= Partition= Priority=0 ID=1
    ParentAccount= Lineage=/ DefAssoc=No
    GrpTRES=cpu=N(0),gres/gpu=N(0)
ClusterName=lab Account=root UserName=root(0) Partition= Priority=0 ID=2
    ParentAccount= Lineage=/0-root/ DefAssoc=Yes
ClusterName=lab Account=vision UserName= Partition= Priority=0 ID=3
    ParentAccount=root(1) Lineage=/vision/ DefAssoc=No
    GrpJobs=5(1) GrpJobsAccrue=N(0)
    GrpTRES=cpu=N(0),gres/gpu=6(2)
ClusterName=lab Account=vision UserName=ana(7001) Partition=gpu Priority=0 ID=4
    ParentAccount= Lineage=/vision/0-ana/gpu/ DefAssoc=Yes

QOS Records

QOS=normal(1)
    UsageRaw=0.000000
"""


def test_what_the_controller_holds_are_associations_and_levels() -> None:
    found = parsed(document("scontrol-show-assoc_mgr", MANAGER))

    assert [(fact.name, fact.admin) for fact in found if isinstance(fact, SlurmUser)] == [("ana", "None"), ("root", "Administrator")]
    rows = [fact for fact in found if isinstance(fact, Association)]
    assert [(fact.account, fact.user, fact.partition, fact.parent) for fact in rows] == [
        ("root", "", "", ""),
        ("root", "root", "", ""),
        ("vision", "", "", "root"),
        ("vision", "ana", "gpu", "root"),
    ]
    assert rows[2].limits == {"GrpTRES": "gres/gpu=6", "GrpJobs": "5"}
    assert not any(fact.qos_told for fact in rows)


def test_groups_and_logins() -> None:
    found = parsed(
        document("getent-group", "ml:x:7100:ana,bo\nempty:x:7101:\nwhat\n"),
        document("getent-passwd", "ana:x:7001:7100::/home/ana:/bin/sh\n"),
    )

    assert [str(getattr(fact, "what", getattr(fact, "name", ""))) for fact in found if not isinstance(fact, Listed)] == [
        "ml",
        "empty",
        "line 3 of getent-group.txt is no group",
        "ana",
    ]


WIDE = """   Cluster Account                  User                  QOS
---------- -------------------- ---------- --------------------
       lab root                                          normal
       lab  root                      root               normal
       lab  org                                          normal
       lab   vision                                      normal
       lab   vision                    ana           low,normal
"""
RIGHT = """   Account       User                  QOS
---------- ---------- --------------------
      root                          normal
      root       root               normal
    vision        ana           low,normal
    speech         bo verylongname,some-o+
"""


def test_columns_of_fixed_width_and_the_tree_in_them() -> None:
    found = [fact for fact in parsed(associations(WIDE)) if isinstance(fact, Association)]

    assert [(fact.account, fact.user, fact.parent, fact.qos) for fact in found] == [
        ("root", "", "", ("normal",)),
        ("root", "root", "", ("normal",)),
        ("org", "", "root", ("normal",)),
        ("vision", "", "org", ("normal",)),
        ("vision", "ana", "org", ("low", "normal")),
    ]


def test_a_value_that_is_cut_off_is_a_gap_and_blanks_on_the_left_are_no_tree() -> None:
    found = parsed(associations(RIGHT))

    assert [(fact.account, fact.user, fact.parent) for fact in found if isinstance(fact, Association)] == [
        ("root", "", ""),
        ("root", "root", ""),
        ("vision", "ana", ""),
    ]
    assert [gap.what for gap in found if isinstance(gap, Gap)] == ["line 6 of sacctmgr-show-assoc.txt has a value that is cut off (+)"]
