/** What stands between the reader and messages in this browser; null: nothing. */
export type PushObstacle = "insecure" | "unsupported" | "denied";

/** Why this browser cannot show messages, as far as can be told without asking. */
export function pushObstacle(): PushObstacle | null {
  if (!window.isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return "unsupported";
  }
  return Notification.permission === "denied" ? "denied" : null;
}

/** That subscribing has failed, and at what: `service`: the browser's push service could not be reached. */
export class PushError extends Error {
  readonly obstacle: PushObstacle | "dismissed" | "service";

  constructor(obstacle: PushError["obstacle"]) {
    super(obstacle);
    this.obstacle = obstacle;
  }
}

/**
 * Asks the reader whether messages may be shown, and the browser for an address at which it takes them. `publicKey`: the
 * installation's. Throws PushError.
 */
export async function subscribeThisBrowser(publicKey: string): Promise<PushSubscriptionJSON> {
  const permission = await Notification.requestPermission();
  if (permission !== "granted") throw new PushError(permission === "denied" ? "denied" : "dismissed");
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) throw new PushError("unsupported");
  const { pushManager } = registration;
  // One that was made for another installation at this address takes no messages of this one.
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: publicKey };
  const subscription = await pushManager.subscribe(options).catch(() => {
    throw new PushError("service");
  });
  return subscription.toJSON();
}

/** The browser takes no messages any more. */
export async function unsubscribeThisBrowser(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
