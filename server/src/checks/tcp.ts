import { type Static, Type } from "typebox";
import type { SecretHint } from "../platform/secrets/config-secrets.ts";
import { PHASES, type ProbedKind } from "./check.ts";
import { converse, hostAndPort, hostField, peerOf, portField } from "./peer.ts";
import { switchedTlsFields } from "./tls-config.ts";

const changers: SecretHint = { "x-secret": "changers" };

const tcpConfigSchema = Type.Object(
  {
    host: hostField,
    port: portField,
    tls: Type.Optional(Type.Boolean({ default: false, description: "Connect over TLS." })),
    ...switchedTlsFields,
    send: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: "Text to send once connected, as UTF-8, with its line breaks as they are.",
        examples: ["PING\r\n"],
        ...changers,
      }),
    ),
    expect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description:
          "Text that the server must send, anywhere in the first 64 KiB. Without it, being able to connect is enough.",
        examples: ["220 "],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "TCP",
    description:
      "Connects to a TCP port, optionally over TLS, sends a text and waits for an expected answer.",
  },
);

type TcpConfig = Static<typeof tcpConfigSchema>;

export const checkTcp: ProbedKind<TcpConfig, typeof PHASES> = {
  type: "tcp",
  phases: PHASES,
  configSchema: tcpConfigSchema,
  target: hostAndPort,
  run: (config, environment) =>
    converse(peerOf(config), environment, async (dialogue) => {
      if (config.send !== undefined) dialogue.send(config.send);
      if (config.expect !== undefined) await dialogue.expect(config.expect);
    }),
};
