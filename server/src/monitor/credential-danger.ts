/** What decides where stored credentials go, and who can read them on the way. */
interface Destination {
  /** Normalised (url.ts). */
  url: string;
  ignoreCertificate: boolean;
}

/** Why stored credentials must be given anew: they would go to somebody else, or could be read on the way. */
export type CredentialDanger = "address" | "certificate";

/** What a change from `base` to `next` would do to stored credentials; null: nothing new. */
export function credentialDanger(base: Destination, next: Destination): CredentialDanger | null {
  if (new URL(base.url).origin !== new URL(next.url).origin) return "address";
  return next.ignoreCertificate && !base.ignoreCertificate ? "certificate" : null;
}
