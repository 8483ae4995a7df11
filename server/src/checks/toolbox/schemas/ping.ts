import { type Static, Type } from "typebox";

export const Input = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to ping: a name or an IP address.",
      examples: ["example.com"],
    }),
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "How many echo requests to send." }),
    ),
  },
  { title: "PingRequest" },
);

const milliseconds = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

export const Output = Type.Object(
  {
    target: Type.String({ description: "The host that was pinged." }),
    address: Type.String({ description: "The address of it that was pinged." }),
    sent: Type.Integer({ description: "How many echo requests were sent." }),
    received: Type.Integer({ description: "How many were answered." }),
    loss: Type.Number({ description: "How many percent were not." }),
    min: milliseconds("The shortest round trip in milliseconds; null without an answer."),
    average: milliseconds("The average round trip in milliseconds; null without an answer."),
    max: milliseconds("The longest round trip in milliseconds; null without an answer."),
    replies: Type.Array(
      Type.Object({
        sequence: Type.Integer({ description: "Which request it answers, from 1 on." }),
        ttl: Type.Union([Type.Integer(), Type.Null()], {
          description: "How many hops it could still have gone.",
        }),
        time: Type.Number({ description: "The round trip in milliseconds." }),
      }),
      { description: "Each answer." },
    ),
  },
  { title: "Ping" },
);

export type PingInput = Static<typeof Input>;
export type Ping = Static<typeof Output>;
