type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

const STRING = 2;
const DOUBLE = 3;
const UINT32 = 6;
const MAP = 7;
const ARRAY = 11;
const METADATA_MARK = Buffer.from("abcdef4d61784d696e642e636f6d", "hex");

/** A control byte (MaxMind DB file format, Data Field Format): lengths up to 284. */
function head(type: number, size: number): Buffer {
  const extended = type > 7;
  const length = size < 29 ? [size] : [29, size - 29];
  const first = ((extended ? 0 : type) << 5) | (length[0] as number);
  return Buffer.from([first, ...(extended ? [type - 7] : []), ...length.slice(1)]);
}

function encode(value: Value): Buffer {
  if (typeof value === "string")
    return Buffer.concat([head(STRING, Buffer.byteLength(value)), Buffer.from(value)]);
  if (typeof value === "number") {
    const isWhole = Number.isInteger(value) && value >= 0;
    const bytes = Buffer.alloc(isWhole ? 4 : 8);
    if (isWhole) bytes.writeUInt32BE(value);
    else bytes.writeDoubleBE(value);
    return Buffer.concat([head(isWhole ? UINT32 : DOUBLE, bytes.length), bytes]);
  }
  if (Array.isArray(value)) return Buffer.concat([head(ARRAY, value.length), ...value.map(encode)]);
  const entries = Object.entries(value);
  return Buffer.concat([
    head(MAP, entries.length),
    ...entries.flatMap(([key, one]) => [encode(key), encode(one)]),
  ]);
}

/** A database in MaxMind's format, with a record for each IPv4 network. */
export function mmdbOf(type: string, records: Record<string, Value>, builtAt: Date): Buffer {
  /** A node's two ways: to another node, to the data at an offset, or nowhere. */
  const nodes: (number | { data: number } | null)[][] = [[null, null]];
  const data: Buffer[] = [];
  let size = 0;
  for (const [network, record] of Object.entries(records)) {
    const [address = "", bits = "32"] = network.split("/");
    const path = address
      .split(".")
      .map((part) => Number(part).toString(2).padStart(8, "0"))
      .join("")
      .slice(0, Number(bits));
    const bytes = encode(record);
    let node = 0;
    for (const [at, bit] of [...path].entries()) {
      const way = nodes[node] as (number | { data: number } | null)[];
      if (at === path.length - 1) way[Number(bit)] = { data: size };
      else {
        way[Number(bit)] ??= nodes.push([null, null]) - 1;
        node = way[Number(bit)] as number;
      }
    }
    data.push(bytes);
    size += bytes.length;
  }
  const tree = Buffer.alloc(nodes.length * 8);
  for (const [at, ways] of nodes.entries()) {
    for (const [side, way] of ways.entries()) {
      const points =
        way === null ? nodes.length : typeof way === "number" ? way : nodes.length + 16 + way.data;
      tree.writeUInt32BE(points, at * 8 + side * 4);
    }
  }
  const metadata = {
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: type,
    description: { en: type },
    ip_version: 4,
    languages: ["en"],
    node_count: nodes.length,
    record_size: 32,
  };
  return Buffer.concat([tree, Buffer.alloc(16), ...data, METADATA_MARK, encode(metadata)]);
}
