"""A real Kubernetes control plane without nodes: started on loopback in one folder, ended by its own process ids."""

import http.client
import json
import secrets
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

T = TypeVar("T")
R = TypeVar("R")
Body = Mapping[str, Any]

_HOST = "127.0.0.1"
_PATIENCE = 90.0
_CONTROLLERS = ("clusterrole-aggregation-controller", "namespace-controller", "serviceaccount-controller")
RBAC = "/apis/rbac.authorization.k8s.io/v1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the API server answered."""

    code: int
    body: Body

    @property
    def message(self) -> str:
        return str(self.body.get("message", ""))


@dataclass(frozen=True, slots=True)
class User:
    """Whom a request is made as."""

    name: str
    groups: tuple[str, ...] = ()


@dataclass(slots=True)
class ControlPlane:
    """A running control plane; `ask` sends one request as its administrator, or as somebody else."""

    port: int
    token: str
    trust: ssl.SSLContext
    local: threading.local = field(default_factory=threading.local)
    connections: list[http.client.HTTPSConnection] = field(default_factory=list)
    pool: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 4))

    def ask(self, method: str, path: str, body: Body | None = None, user: User | None = None, **query: str) -> Answer:
        """Send a request; a connection that the server closed is opened anew, once."""
        target = path + (f"?{urlencode(query)}" if query else "")
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", "Accept": "application/json"}
        connection = self._connection()
        for attempt in (1, 2):
            try:
                connection.putrequest(method, target, skip_accept_encoding=True)
                payload = json.dumps(body).encode() if body is not None else b""
                for name, value in headers.items():
                    connection.putheader(name, value)
                connection.putheader("Content-Length", str(len(payload)))
                if user is not None:
                    connection.putheader("Impersonate-User", user.name)
                    for group in user.groups:
                        connection.putheader("Impersonate-Group", group)
                connection.endheaders(payload)
                answer = connection.getresponse()
                return Answer(answer.status, _decoded(answer.read()))
            except (http.client.HTTPException, ConnectionError):
                connection.close()
                if attempt == 2:
                    raise
        raise AssertionError

    def _connection(self) -> http.client.HTTPSConnection:
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPSConnection(_HOST, self.port, context=self.trust, timeout=60)
            self.connections.append(self.local.connection)
        connection: http.client.HTTPSConnection = self.local.connection
        return connection

    def each(self, question: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Ask several things at a time, and return the answers in order."""
        return list(self.pool.map(question, items))

    def close(self) -> None:
        """Hang up."""
        self.pool.shutdown()
        for connection in self.connections:
            connection.close()

    def create(self, obj: Body) -> Answer:
        """Create an object."""
        return self.ask("POST", path_of(obj), obj)

    def settled(self) -> None:
        """Wait until the authorizer has read all roles and bindings written so far: each of its four informers shows what came last."""
        word = f"settled-{secrets.token_hex(4)}"
        rules = [{"apiGroups": ["lab"], "resources": [word], "verbs": ["get"]}]
        for namespace in ("", "default"):
            kind = "Role" if namespace else "ClusterRole"
            for obj in (
                {**_rbac(kind, word, namespace), "rules": rules},
                {
                    **_rbac(f"{kind}Binding", word, namespace),
                    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": word},
                    "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": f"{kind}-{word}"}],
                },
            ):
                made = self.create(obj)
                assert made.code == 201, made.message
            attributes = {"group": "lab", "resource": word, "verb": "get", "namespace": namespace}
            until(partial(self.allowed, {"user": f"{kind}-{word}", "resourceAttributes": attributes}), f"the authorizer to see {word}")

    def allowed(self, spec: Body) -> bool:
        """Ask a SubjectAccessReview."""
        review = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        answer = self.ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", review)
        assert answer.code == 201, answer.message
        return bool(answer.body["status"]["allowed"])

    def listed(self, resource: str, api: str = RBAC) -> list[dict[str, Any]]:
        """List all objects of a resource, each with the kind that a list leaves out."""
        answer = self.ask("GET", f"{api}/{resource}")
        assert answer.code == 200, answer.message
        kind = str(answer.body["kind"]).removesuffix("List")
        return [{**item, "kind": kind, "apiVersion": answer.body["apiVersion"]} for item in answer.body["items"] or ()]


def _decoded(data: bytes) -> Body:
    try:
        value = json.loads(data)
    except ValueError:
        return {"message": data.decode(errors="replace")}
    return value if isinstance(value, dict) else {"message": str(value)}


def _rbac(kind: str, name: str, namespace: str) -> dict[str, Any]:
    meta = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": kind, "metadata": meta}


def path_of(obj: Body, named: bool = False) -> str:
    """Return where objects like this one are created, or with `named` where this one lies."""
    version, kind, meta = obj["apiVersion"], str(obj["kind"]).lower(), obj["metadata"]
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}es" if kind.endswith(("ss", "ch")) else f"{kind}s"
    home = f"/namespaces/{meta['namespace']}" if "namespace" in meta else ""
    return f"{root}{home}/{plural}" + (f"/{quote(meta['name'], safe='')}" if named else "")


def until(true: Callable[[], bool], what: str, patience: float = _PATIENCE) -> None:
    """Wait until something is true."""
    end = time.monotonic() + patience
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience:.0f} s for {what}")
        time.sleep(0.02)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.create_server((_HOST, 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@contextmanager
def control_plane(program: Path, folder: Path) -> Iterator[ControlPlane]:
    """Run a control plane in a folder for as long as the context lasts."""
    running: list[subprocess.Popen[bytes]] = []
    try:
        plane = _start(program, folder, running)
        try:
            yield plane
        finally:
            plane.close()
    finally:
        # The API server last asks etcd while it stops: without it, it takes a minute.
        for process in reversed(running):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
            process.kill()
            process.wait()


def _start(program: Path, folder: Path, running: list[subprocess.Popen[bytes]]) -> ControlPlane:
    etcd, api, manager = _free_ports(3)
    token = secrets.token_hex(16)
    subprocess.run([program, "keys", folder], check=True, timeout=60)
    (folder / "tokens.csv").write_text(f'{token},admin,1,"system:masters"\n', "utf-8")
    (folder / "kubeconfig").write_text(json.dumps(_kubeconfig(api, token)), "utf-8")

    def run(component: str, *flags: str) -> subprocess.Popen[bytes]:
        with (folder / f"{component}.log").open("wb") as log:
            process = subprocess.Popen([program, component, *flags], cwd=folder, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        running.append(process)
        return process

    run("etcd", *_etcd(etcd))
    server = run("kube-apiserver", *_apiserver(api, etcd))
    _alive(server, folder, lambda: (folder / "certs/apiserver.crt").is_file() and (folder / "certs/apiserver.key").is_file())
    plane = ControlPlane(api, token, ssl.create_default_context(cafile=str(folder / "certs/apiserver.crt")))
    _alive(server, folder, lambda: _is_ready(plane))
    run("kube-controller-manager", *_manager(manager))
    until(lambda: plane.ask("GET", f"{RBAC}/clusterroles/edit").body.get("rules") is not None, "the built-in roles to be filled")
    return plane


def _alive(server: subprocess.Popen[bytes], folder: Path, true: Callable[[], bool]) -> None:
    def check() -> bool:
        if server.poll() is not None:
            raise RuntimeError("the API server ended: " + "\n".join((folder / "kube-apiserver.log").read_text("utf-8").splitlines()[-5:]))
        return true()

    until(check, "the API server to start")


def _is_ready(plane: ControlPlane) -> bool:
    try:
        return plane.ask("GET", "/readyz").code == 200
    except OSError:
        return False


def _etcd(port: int) -> Sequence[str]:
    here, anywhere = f"http://{_HOST}:{port}", f"http://{_HOST}:0"
    return (
        *("--data-dir", "etcd", "--unsafe-no-fsync", "--listen-client-urls", here, "--advertise-client-urls", here),
        *("--listen-peer-urls", anywhere, "--initial-advertise-peer-urls", anywhere, "--initial-cluster", f"default={anywhere}"),
    )


def _apiserver(port: int, etcd: int) -> Sequence[str]:
    return (
        f"--etcd-servers=http://{_HOST}:{etcd}",
        *(f"--bind-address={_HOST}", f"--secure-port={port}", "--cert-dir=certs", "--token-auth-file=tokens.csv"),
        *("--service-cluster-ip-range=10.0.0.0/24", "--allow-privileged=true", "--authorization-mode=RBAC"),
        *(f"--service-account-issuer=https://{_HOST}:{port}/", "--service-account-key-file=sa.pub"),
        *("--service-account-signing-key-file=sa.key", "--disable-admission-plugins=ServiceAccount"),
        *("--endpoint-reconciler-type=none", "--enable-priority-and-fairness=false", "--max-requests-inflight=0"),
        "--max-mutating-requests-inflight=0",
    )


def _manager(port: int) -> Sequence[str]:
    return (
        *(f"--{use}kubeconfig=kubeconfig" for use in ("", "authentication-", "authorization-")),
        *(f"--bind-address={_HOST}", f"--secure-port={port}", "--leader-elect=false"),
        *("--service-account-private-key-file=sa.key", f"--controllers={','.join(_CONTROLLERS)}"),
        *("--kube-api-qps=200", "--kube-api-burst=400"),
    )


def _kubeconfig(port: int, token: str) -> Body:
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "lab", "cluster": {"server": f"https://{_HOST}:{port}", "insecure-skip-tls-verify": True}}],
        "users": [{"name": "admin", "user": {"token": token}}],
        "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "admin"}}],
        "current-context": "lab",
    }
