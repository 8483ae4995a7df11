import dgram from "node:dgram";
import dnsPacket from "dns-packet";

/** What the server says of one name. Nothing of the kind requested: an empty answer (NODATA). */
export interface DnsRecord {
  a?: string[];
  aaaa?: string[];
  cname?: string;
  txt?: string[];
  /** An address or text of another name, which is the answer whatever the query was. */
  stray?: { name: string; a: string } | { name: string; txt: string };
  ttlSeconds?: number;
  /** What happens to every query, or to those of one type. `silent`: no answer at all. */
  behaviour?: Behaviour | Partial<Record<string, Behaviour>>;
  /** How late the answers to A queries are. */
  lateAMs?: number;
}

type Behaviour = keyof typeof RCODES | "silent";

export interface DnsTarget {
  /** `127.0.0.1:port`, as a resolver wants it. */
  server: string;
  /** Every query, as `A name`. */
  queries: string[];
  set(name: string, record: DnsRecord): void;
  close(): Promise<void>;
}

const RCODES = { nxdomain: 3, servfail: 2, refused: 5 } as const;

function answersTo(records: Map<string, DnsRecord>, name: string, type: string): dnsPacket.Answer[] {
  const record = records.get(name);
  if (record === undefined) return [];
  const ttl = record.ttlSeconds ?? 60;
  if (record.stray) {
    const { name: other, ...own } = record.stray;
    const [type, data] = "a" in own ? (["A", own.a] as const) : (["TXT", own.txt] as const);
    return [{ type, name: other, ttl, data }];
  }
  if (record.cname !== undefined && type === "CNAME")
    return [{ type: "CNAME", name, ttl, data: record.cname }];
  if (record.cname !== undefined) {
    return [{ type: "CNAME", name, ttl, data: record.cname }, ...answersTo(records, record.cname, type)];
  }
  if (type === "A") return (record.a ?? []).map((data) => ({ type: "A", name, ttl, data }));
  if (type === "TXT") return (record.txt ?? []).map((data) => ({ type: "TXT", name, ttl, data }));
  if (type === "AAAA") return (record.aaaa ?? []).map((data) => ({ type: "AAAA", name, ttl, data }));
  return [];
}

/** A name server over UDP on 127.0.0.1; other names do not exist. */
export async function startDnsTarget(initial: Record<string, DnsRecord> = {}): Promise<DnsTarget> {
  const records = new Map(Object.entries(initial));
  const queries: string[] = [];
  const socket = dgram.createSocket("udp4");
  socket.on("message", (message, peer) => {
    const query = dnsPacket.decode(message);
    const question = query.questions?.[0];
    if (question === undefined) return;
    const name = question.name.toLowerCase();
    queries.push(`${question.type} ${name}`);
    const record = records.get(name);
    const reported = record === undefined ? "nxdomain" : record.behaviour;
    const behaviour = typeof reported === "object" ? reported[question.type] : reported;
    if (behaviour === "silent") return;
    const rcode = behaviour === undefined ? 0 : RCODES[behaviour];
    const answer = dnsPacket.encode({
      type: "response",
      id: query.id ?? 0,
      flags: dnsPacket.RECURSION_DESIRED | dnsPacket.RECURSION_AVAILABLE | rcode,
      questions: [question],
      answers: rcode === 0 ? answersTo(records, name, question.type) : [],
    });
    const send = () => socket.send(answer, peer.port, peer.address);
    if (question.type === "A" && record?.lateAMs !== undefined) setTimeout(send, record.lateAMs);
    else send();
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return {
    server: `127.0.0.1:${socket.address().port}`,
    queries,
    set: (name, record) => void records.set(name, record),
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
