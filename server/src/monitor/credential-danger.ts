/** What decides where stored credentials go, and who can read them on the way. */
interface Destination {
  /** Normalised (url.ts). */
  url: string;
  ignoreCertificate: boolean;
  /** Which of the sites behind the address is asked, and who may answer for it; empty: the URL's host. */
  hostHeader?: string | undefined;
  serverName?: string | undefined;
}

/** Why stored credentials must be given anew: they would go to somebody else, or could be read on the way. */
export type CredentialDanger = "address" | "certificate";

/** What a change from `base` to `next` would do to stored credentials; null: nothing new. */
export function credentialDanger(base: Destination, next: Destination): CredentialDanger | null {
  if (new URL(base.url).origin !== new URL(next.url).origin) return "address";
  const isRenamed = (["hostHeader", "serverName"] as const).some(
    (name) => (base[name] ?? "") !== (next[name] ?? ""),
  );
  if (isRenamed) return "address";
  return next.ignoreCertificate && !base.ignoreCertificate ? "certificate" : null;
}
