// Stands for YAML by Red Hat: what it offers to other extensions, and diagnostics where a test wants them.
const vscode = require("vscode");

exports.activate = () => {
  const diagnostics = vscode.languages.createDiagnosticCollection("yaml");
  const contributors = [];
  return {
    registerContributor: (schema, requestSchema, requestSchemaContent) => {
      contributors.push({ requestSchema, requestSchemaContent });
      return true;
    },
    schemaOf: (uri) => contributors.map((each) => each.requestSchema(uri)).find((each) => each !== undefined),
    contentOf: (uri) => contributors.map((each) => each.requestSchemaContent(uri)).find((each) => each !== undefined),
    mark: (uri, line) => {
      const found = new vscode.Diagnostic(new vscode.Range(line, 0, line, 1), "an error of the syntax");
      found.source = "YAML";
      diagnostics.set(uri, [found]);
    },
    unmark: (uri) => diagnostics.delete(uri),
  };
};
