import { type Static, Type } from "typebox";

export const Input = Type.Object(
  {
    target: Type.String({
      minLength: 1,
      maxLength: 255,
      description: "The host to find the way to: a name or an IP address.",
      examples: ["example.com"],
    }),
  },
  { title: "TracerouteRequest" },
);

export const Output = Type.Object(
  {
    target: Type.String({ description: "The host that was looked for." }),
    address: Type.String({ description: "The address of it that the way leads to." }),
    reached: Type.Boolean({ description: "Whether the last hop is the address itself." }),
    hops: Type.Array(
      Type.Object({
        hop: Type.Integer({ description: "How many hops from here." }),
        address: Type.Union([Type.String(), Type.Null()], {
          description:
            "Who answered; null where no one did. `private`: an address inside, which is not shown where an installation looks at public targets only.",
        }),
        time: Type.Union([Type.Number(), Type.Null()], { description: "The round trip in milliseconds." }),
      }),
      { description: "The routers on the way, in order, and the target where it is reached." },
    ),
  },
  { title: "Traceroute" },
);

export type TracerouteInput = Static<typeof Input>;
export type Traceroute = Static<typeof Output>;
