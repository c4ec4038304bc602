// Runs what a test sends it inside VS Code's extension host: the body of an async function that may use `vscode`.
const http = require("node:http");
const fs = require("node:fs");
const vscode = require("vscode");

const AsyncFunction = (async () => {}).constructor;

exports.activate = () => {
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    try {
      const value = await new AsyncFunction("vscode", body)(vscode);
      response.end(JSON.stringify({ value: value === undefined ? null : value }));
    } catch (error) {
      response.end(JSON.stringify({ error: String(error && error.stack ? error.stack : error) }));
    }
  });
  server.listen(0, "127.0.0.1", () => fs.writeFileSync(process.env.PROBE_PORT_FILE, String(server.address().port)));
};
