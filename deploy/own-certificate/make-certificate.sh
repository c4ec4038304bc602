#!/usr/bin/env bash
# Writes an authority, a certificate for the Service, and the patch that tells the API server of the authority.
# Needs openssl. Run it again before the certificate ends (a year by default: DAYS), and apply the folder again.
set -euo pipefail
cd "$(dirname "$0")"
umask 077
days=${DAYS:-365}
name=kro-ls-admission.kro-ls.svc
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
openssl req -x509 "${key[@]}" -days "$days" -subj "/CN=kro-ls-admission-authority" -keyout authority.key -out authority.crt 2>/dev/null
openssl req "${key[@]}" -subj "/CN=$name" -keyout tls.key -out tls.csr 2>/dev/null
printf 'subjectAltName=DNS:%s\nextendedKeyUsage=serverAuth\n' "$name" >tls.ext
openssl x509 -req -in tls.csr -CA authority.crt -CAkey authority.key -CAcreateserial -days "$days" -extfile tls.ext -out tls.crt 2>/dev/null
rm -f authority.key authority.srl tls.csr tls.ext
bundle=$(base64 <authority.crt | tr -d '\n')
cat >authority.yaml <<EOF
- op: add
  path: /webhooks/0/clientConfig/caBundle
  value: $bundle
- op: add
  path: /webhooks/1/clientConfig/caBundle
  value: $bundle
EOF
echo "kubectl apply -k $PWD"
