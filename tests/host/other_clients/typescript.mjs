// The official TypeScript SDK's client: starts a host over stdio and makes the calls it is given.
//
// In, as JSON on stdin: {command, args, cwd, calls: [[tool, arguments], …]}.
// Out, as JSON on stdout: {server, instructions, tools, answers}.

import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const { command, args, cwd, calls } = JSON.parse(readFileSync(0, "utf8"));
const client = new Client({ name: "another-client", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, cwd, stderr: "inherit" }));
const { tools } = await client.listTools();
const answers = [];
for (const [name, given] of calls) {
  try {
    answers.push(await client.callTool({ name, arguments: given }));
  } catch (error) {
    answers.push({ thrown: String(error) });
  }
}
const found = { server: client.getServerVersion(), instructions: client.getInstructions(), tools, answers };
await client.close();
process.stdout.write(JSON.stringify(found));
