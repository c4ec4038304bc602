/** What a new file begins with: the server does not follow a file that does not say yet what it is. */
import * as vscode from 'vscode';
import { EMPTY_DEFINITION } from './emptyDefinition';

export const DEFINITION = `\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata:
  name: \${1:web-app}
spec:
  schema:
    apiVersion: v1alpha1
    kind: \${2:WebApp}
    spec:
      name: string | required=true
      image: string | default="\${3:nginx:1.29}"
      replicas: integer | default=1 minimum=1
    status:
      availableReplicas: \\\${deployment.status.availableReplicas}
  resources:
    - id: deployment
      readyWhen:
        - \\\${deployment.status.availableReplicas == deployment.spec.replicas}
      template:
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: \\\${schema.spec.name}
        spec:
          replicas: \\\${schema.spec.replicas}
          selector:
            matchLabels: {app: "\\\${schema.spec.name}"}
          template:
            metadata:
              labels: {app: "\\\${schema.spec.name}"}
            spec:
              containers:
                - name: app
                  image: \\\${schema.spec.image}
                  ports:
                    - containerPort: \${4:80}
    - id: service
      template:
        apiVersion: v1
        kind: Service
        metadata:
          name: \\\${deployment.metadata.name}
        spec:
          selector: \\\${deployment.spec.selector.matchLabels}
          ports:
            - port: 80
              targetPort: \${4:80}
$0`;
const TEST_FILE = `\
definition: \${1:web-app.yaml}
tests:
  - name: \${2:it becomes active}
    expect:
      state: ACTIVE$0`;

/** Offers the whole of a definition or a test file, in a YAML file that holds nothing but a word which begins it. */
export function offerBeginnings(): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    { language: 'yaml' },
    {
      provideCompletionItems(document, position) {
        const word = document.getText();
        const isTest = /\.test\.ya?ml$/.test(document.uri.path);
        const names = isTest ? ['kro-test', 'definition'] : ['ResourceGraphDefinition', 'kro', 'rgd', 'apiVersion', 'kind'];
        const name = names.find((each) => each.toLowerCase().startsWith(word.toLowerCase()));
        if (name === undefined || position.line > 0) {
          return undefined;
        }
        const offers: [string, string, string][] = isTest
          ? [['kro test file', 'tests of a definition', TEST_FILE]]
          : [
              ['ResourceGraphDefinition', 'a new kind and its resources', EMPTY_DEFINITION],
              ['ResourceGraphDefinition of a web app', 'a Deployment and its Service', DEFINITION],
            ];
        const items = offers.map(([label, detail, text], rank) => {
          const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Snippet);
          item.detail = detail;
          item.filterText = name;
          item.sortText = String(rank);
          item.range = new vscode.Range(document.positionAt(0), position);
          item.insertText = new vscode.SnippetString(text);
          return item;
        });
        return new vscode.CompletionList(items, true);
      },
    },
  );
}
