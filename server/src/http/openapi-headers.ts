type Named = Record<string, object>;

interface Answer {
  $ref?: string;
  headers?: Named;
}

/** The headers that answers carry, for `components/headers`. */
const HEADERS = {
  "X-Request-Id": {
    description: "The id of this request, which is also in the server's log; yours, if you sent one.",
    schema: { type: "string", examples: ["0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11"] },
  },
  "RateLimit-Limit": {
    description:
      "How many requests a minute are allowed in this endpoint group. Absent where nothing is limited.",
    schema: { type: "integer", examples: [1200] },
  },
  "RateLimit-Remaining": {
    description: "How many of them are left.",
    schema: { type: "integer", examples: [1187] },
  },
  "RateLimit-Reset": {
    description: "Seconds until the count starts again.",
    schema: { type: "integer", examples: [42] },
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    schema: { type: "integer", examples: [5] },
  },
} as const;

type HeaderName = keyof typeof HEADERS;

const LIMITS = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;
/** Answered before requests are counted. */
const UNCOUNTED = ["408", "417", "431"];
/** Of a 502, where the server that was asked says when. */
const COME_BACK = ["429", "502", "503"];

/**
 * Adds the headers of every answer to a document whose failures are components (openapi-components.ts): the
 * request's id everywhere, the limits where the operation has one, and when to come back.
 */
export function documentHeaders<T extends object>(document: T): T {
  const { paths, components } = document as unknown as {
    paths: Record<string, Record<string, { responses: Record<string, Answer> }>>;
    components: { headers?: Named; responses: Record<string, Answer> };
  };
  for (const { responses } of Object.values(paths).flatMap((path) => Object.values(path))) {
    const own = Object.entries(responses).filter(([, answer]) => answer.$ref === undefined);
    for (const [code, answer] of own) answer.headers = headersOf(code, "429" in responses);
  }
  for (const [name, answer] of Object.entries(components.responses)) {
    answer.headers = headersOf(name.replace("Failure", ""), true);
  }
  return { ...document, components: { ...components, headers: HEADERS } };
}

function headersOf(code: string, isLimited: boolean): Named {
  const names: HeaderName[] = [
    "X-Request-Id",
    ...(isLimited && !UNCOUNTED.includes(code) ? LIMITS : []),
    ...(COME_BACK.includes(code) ? (["Retry-After"] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
