// Command kubelab is a Kubernetes control plane in one binary, for tests:
// etcd, kube-apiserver and kube-controller-manager, chosen by the first argument.
// `kubelab keys DIR` writes the key pair with which service account tokens are signed.
package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

const usage = "usage: kubelab etcd|kube-apiserver|kube-controller-manager FLAGS, or kubelab keys DIR"

func main() {
	if len(os.Args) < 2 {
		fail(usage)
	}
	os.Args = os.Args[1:]
	switch os.Args[0] {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(manager.NewControllerManagerCommand()))
	case "keys":
		if len(os.Args) != 2 {
			fail(usage)
		}
		if err := writeKeys(os.Args[1]); err != nil {
			fail(err.Error())
		}
	default:
		fail(fmt.Sprintf("no component %q; %s", os.Args[0], usage))
	}
}

func writeKeys(folder string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	private := &pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}
	if err := os.WriteFile(filepath.Join(folder, "sa.key"), pem.EncodeToMemory(private), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, "sa.pub"), pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public}), 0o644)
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, "kubelab: "+message)
	os.Exit(2)
}
