import dns from "node:dns";
import { isIP } from "node:net";
import { followFile } from "./followed-file.ts";

/** Where most systems say which name servers to ask (resolv.conf(5)). */
const SYSTEM_RESOLV_CONF = "/etc/resolv.conf";
/** Where systemd-resolved's local stub listens, and where it lists the name servers that it asks itself. */
const STUB = "127.0.0.53";
const STUB_RESOLV_CONF = "/run/systemd/resolve/resolv.conf";

/** The name servers of a resolv.conf: `address`, or `address:port` and `[address]:port`. Other lines are passed over. */
export function parseNameServers(text: string): string[] {
  return [...text.matchAll(/^[ \t]*nameserver[ \t]+(\S+)/gm)]
    .map(([, server = ""]) => server)
    .filter((server) => isIP(server.replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3")) !== 0);
}

/**
 * The name servers to ask now: the configured ones, or the system's, whose file is followed as it changes (DHCP,
 * a VPN, a machine that was moved). The same array while they are the same; an empty one where the system keeps
 * them elsewhere.
 */
export function followNameServers(
  configured: readonly string[],
  {
    resolvConf = SYSTEM_RESOLV_CONF,
    now = () => performance.now(),
  }: { resolvConf?: string | undefined; now?: () => number },
): () => readonly string[] {
  return configured.length > 0 ? () => configured : followFile(resolvConf, parseNameServers, now);
}

/**
 * The name servers whose answers come over the network: as `followNameServers`, the system's list where that knows
 * none. systemd's local stub answers from its cache without any network, so those behind it take its place.
 */
export function followNameServersInUse(
  configured: readonly string[],
  {
    resolvConf,
    stubResolvConf = STUB_RESOLV_CONF,
  }: { resolvConf?: string | undefined; stubResolvConf?: string | undefined },
): () => readonly string[] {
  const listed = followNameServers(configured, { resolvConf });
  const behindStub = followFile(stubResolvConf, parseNameServers, () => performance.now());
  return () => {
    const servers = listed().length > 0 ? listed() : new dns.Resolver().getServers();
    const isStub = configured.length === 0 && servers.join() === STUB;
    return isStub && behindStub().length > 0 ? behindStub() : servers;
  };
}

/**
 * A resolver of these name servers. Where there are none, or one can only be reached through a certain
 * interface (`fe80::1%eth0`), it has the system's list, as it is at this moment.
 */
export function makeDnsResolver(
  servers: readonly string[],
  options: dns.ResolverOptions,
): dns.promises.Resolver {
  const resolver = new dns.promises.Resolver(options);
  if (servers.length > 0 && !servers.some((server) => server.includes("%"))) resolver.setServers(servers);
  return resolver;
}
