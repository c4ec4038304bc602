// Stands for YAML by Red Hat: the server is the one that it starts, and other extensions give it schemas in the same way.
// A test says when the server starts; else it would have its say about every text of every test.
const vscode = require("vscode");

const contributors = [];
let client;

exports.activate = () => ({
  registerContributor: (_name, requestSchema, requestSchemaContent) => {
    contributors.push({ requestSchema, requestSchemaContent });
    return true;
  },
  start,
  stop: () => client.stop(),
});

/** Starts the server. `modules` is the folder with its package; `schema` tells what it thinks of all YAML. */
async function start(modules, schema) {
  const { LanguageClient, TransportKind } = require(`${modules}/vscode-languageclient/node`);
  const settings = { validate: true, completion: true, hover: true, schemaStore: { enable: false }, schemas: schema };
  const middleware = { workspace: { configuration: ({ items }) => items.map((each) => (each.section === "yaml" ? settings : {})) } };
  const server = { module: `${modules}/yaml-language-server/bin/yaml-language-server`, transport: TransportKind.stdio };
  client = new LanguageClient("yaml", "YAML Support", server, { documentSelector: ["yaml"], middleware });
  client.onRequest("custom/schema/request", (uri) =>
    contributors.map((each) => each.requestSchema(uri)).filter((each) => each !== undefined),
  );
  client.onRequest("custom/schema/content", (uri) =>
    contributors.map((each) => each.requestSchemaContent(uri)).find((each) => each !== undefined),
  );
  await client.start();
  await client.sendNotification("yaml/registerCustomSchemaRequest");
  await client.sendNotification("yaml/registerContentRequest");
}
