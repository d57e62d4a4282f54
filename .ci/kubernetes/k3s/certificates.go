package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

const (
	authority         = "ca.crt"
	serverCertificate = "server.crt"
	serverKey         = "server.key"
)

// certificates are an authority's, the server's and the administrator's.
type certificates struct {
	authority, server, client *pair
}

type pair struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	keyDER      []byte
}

func newCertificates(subjects []string) (*certificates, error) {
	authority, err := newPair(&x509.Certificate{
		Subject:               pkix.Name{CommonName: "k3s-stand-in"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}, nil)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, subject := range subjects {
		if address := net.ParseIP(subject); address != nil {
			template.IPAddresses = append(template.IPAddresses, address)
		} else {
			template.DNSNames = append(template.DNSNames, subject)
		}
	}
	server, err := newPair(template, authority)
	if err != nil {
		return nil, err
	}
	client, err := newPair(&x509.Certificate{
		Subject:     pkix.Name{CommonName: "system:admin", Organization: []string{"system:masters"}},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authority)
	if err != nil {
		return nil, err
	}
	return &certificates{authority, server, client}, nil
}

// newPair signs with the issuer's key, or with its own when there is no issuer.
func newPair(template *x509.Certificate, issuer *pair) (*pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		return nil, err
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().AddDate(1, 0, 0)
	parent, signer := template, key
	if issuer != nil {
		parent, signer = issuer.certificate, issuer.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return &pair{certificate, key, keyDER}, nil
}

func (p *pair) certificatePEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.certificate.Raw})
}

func (p *pair) keyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: p.keyDER})
}

func (p *pair) tls() tls.Certificate {
	return tls.Certificate{Certificate: [][]byte{p.certificate.Raw}, PrivateKey: p.key}
}

func (c *certificates) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(c.authority.certificate)
	return pool
}

func (c *certificates) write(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		authority:         c.authority.certificatePEM(),
		serverCertificate: c.server.certificatePEM(),
		serverKey:         c.server.keyPEM(),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (c *certificates) kubeconfig() []byte {
	encode := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: default
  cluster:
    certificate-authority-data: %s
    server: %s
users:
- name: default
  user:
    client-certificate-data: %s
    client-key-data: %s
contexts:
- name: default
  context:
    cluster: default
    user: default
current-context: default
preferences: {}
`, encode(c.authority.certificatePEM()), server, encode(c.client.certificatePEM()), encode(c.client.keyPEM()))
}
