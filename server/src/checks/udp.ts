import { type Static, Type } from "typebox";
import { excerpt, msg } from "../platform/i18n/message.ts";
import type { SecretHint } from "../platform/secrets/config-secrets.ts";
import { ADDRESS_PHASES, checkByDatagram } from "./address-check.ts";
import type { ProbedKind } from "./check.ts";
import { hostAndPort, hostField, peerOf, portField } from "./peer.ts";

const changers: SecretHint = { "x-secret": "changers" };

const udpConfigSchema = Type.Object(
  {
    host: hostField,
    port: portField,
    send: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: "Text to send, as UTF-8, to which the server answers. It is sent up to three times.",
      examples: ["ping"],
      ...changers,
    }),
    expect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1024,
        description: "Text that must appear in the answer. Without it, any answer will do.",
        examples: ["pong"],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: "UDP",
    description:
      "Sends a datagram and waits for an answer. A server that never answers looks like one that is down.",
  },
);

type UdpConfig = Static<typeof udpConfigSchema>;

export const checkUdp: ProbedKind<UdpConfig, typeof ADDRESS_PHASES> = {
  type: "udp",
  phases: ADDRESS_PHASES,
  configSchema: udpConfigSchema,
  target: hostAndPort,
  run: (config, environment) => {
    const { host, port } = peerOf(config);
    const request = {
      host,
      port,
      payload: Buffer.from(config.send),
      evaluate: (answer: Buffer, where: string) => evaluate(answer, config, where),
      silent: (where: string, timeoutMs: number) =>
        msg("timeout.datagram", { where, seconds: timeoutMs / 1000 }),
    };
    return checkByDatagram(request, environment);
  },
};

function evaluate(answer: Buffer, { send, expect }: UdpConfig, where: string) {
  if (expect === undefined || answer.includes(expect)) return null;
  const said = excerpt(answer.toString("utf8"), send.length < 4 ? [] : [send]);
  return msg("assertion.expect_datagram", { where, said, wanted: excerpt(expect) });
}
