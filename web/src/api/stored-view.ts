import {
  type DehydratedState,
  dehydrate,
  hydrate,
  type Query,
  type QueryClient,
} from "@tanstack/react-query";
import { ApiError } from "./client.ts";
import { setConnection, shownAt } from "./live-state.ts";
import { checkSession, forgetView, type Session, sessionQuery, viewKey } from "./session.ts";

/** Older than this, a view is no longer worth looking at. */
const maxAgeMs = 24 * 3_600_000;
/** Live events change what is shown all the time; storing it takes a moment. */
const saveEveryMs = 2_000;
/** A server that has not answered by then is slow, and the last view better than none. */
const answerTimeoutMs = 1_500;
/** Browsers give an address 5 MB. */
const maxLength = 2_000_000;
/** The queries that are stored, by the first part of their key. None of them holds secrets. */
const storableNames: ReadonlySet<unknown> = new Set([
  "session",
  "dashboard-stats",
  "monitors",
  "monitor",
  "notifications",
]);

/** What was shown last, for the next visit: should the server be away then, it comes up with the mark of its age. */
interface View {
  /** Of the app: another version may read other shapes. */
  version: string;
  userId: number;
  organizationId: number;
  /** From when it is. */
  at: number;
  state: DehydratedState;
}

/** Stores the view of the account in this browser, until it signs out in any tab. */
export function keepViews(client: QueryClient): void {
  let timer: number | undefined;
  let hasEnded = false;
  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const session = client.getQueryData(sessionQuery.queryKey);
    if (!session) hasEnded = false;
    else if (!hasEnded) saveView(client, session);
  };
  client.getQueryCache().subscribe(() => {
    timer ??= window.setTimeout(save, saveEveryMs);
  });
  window.addEventListener("pagehide", save);
  window.addEventListener("storage", ({ key, newValue }) => {
    const isForgotten = (key === viewKey || key === null) && newValue === null;
    if (!isForgotten || !client.getQueryData(sessionQuery.queryKey)) return;
    hasEnded = true;
    // This tab may have stored it once more meanwhile.
    forgetView();
    // Who has signed in again elsewhere is found here, too.
    void checkSession(client).then(() => client.invalidateQueries());
  });
}

function saveView(client: QueryClient, session: Session): void {
  const stateOf = (isStorable: (query: Query) => boolean) =>
    dehydrate(client, { shouldDehydrateQuery: isStorable, shouldDehydrateMutation: () => false });
  const view: View = {
    version: VEDETTE_VERSION,
    userId: session.user.id,
    organizationId: session.organization.id,
    at: shownAt(),
    state: stateOf(isStorable),
  };
  const whole = JSON.stringify(view);
  const isLong = whole.length > maxLength;
  const inSight = (query: Query) => isStorable(query) && query.isActive();
  try {
    localStorage.setItem(viewKey, isLong ? JSON.stringify({ ...view, state: stateOf(inSight) }) : whole);
  } catch {
    // Storage is blocked or full: there is no view on the next visit.
    forgetView();
  }
}

const isStorable = ({ queryKey, state }: Query): boolean =>
  storableNames.has(queryKey[0]) && state.data !== undefined && !holdsToken(state.data);

/** A heartbeat's address is as good as a password to its monitor. */
const holdsToken = (data: unknown): boolean =>
  typeof (data as { protocolConfig?: { token?: unknown } } | null)?.protocolConfig?.token === "string";

function readView(): View | null {
  try {
    const view = JSON.parse(localStorage.getItem(viewKey) ?? "null") as View | null;
    const isGood = view?.version === VEDETTE_VERSION && Date.now() - view.at < maxAgeMs;
    return isGood ? view : null;
  } catch {
    return null;
  }
}

/**
 * Null: signed out. Where the server is away or slow, the account whose view was stored, with that view.
 * Throws ApiError where there is none.
 */
export async function openSession(client: QueryClient): Promise<Session | null> {
  const known = client.getQueryData(sessionQuery.queryKey);
  if (known !== undefined) return known;
  const sessionRead = client.fetchQuery(sessionQuery);
  const view = readView();
  if (!view) return sessionRead;
  const late = new Promise<"late">((resolve) => setTimeout(resolve, answerTimeoutMs, "late"));
  const answer = await Promise.race([sessionRead.catch(onlyIfAway), late]);
  if (answer !== "late" && answer !== "away") {
    if (answer?.user.id !== view.userId) forgetView();
    return answer;
  }
  showView(client, view, answer === "away");
  return client.getQueryData(sessionQuery.queryKey) ?? sessionRead;
}

/** A proxy that speaks in the server's place says that it is away. */
function onlyIfAway(error: Error): "away" {
  if (error instanceof ApiError && [0, 502, 503, 504].includes(error.status)) return "away";
  throw error;
}

function showView(client: QueryClient, { at, state, userId, organizationId }: View, isAway: boolean): void {
  const openedAt = Date.now();
  hydrate(client, state);
  void client.invalidateQueries({ refetchType: "none" });
  setConnection({ savedAt: at, awaySince: isAway ? at : null });
  const stop = client.getQueryCache().subscribe(() => {
    const session = client.getQueryData(sessionQuery.queryKey);
    if (session && (session.user.id !== userId || session.organization.id !== organizationId)) {
      // Another account has signed in here meanwhile.
      forgetView();
      window.location.reload();
    }
    const inSight = client.getQueryCache().findAll({ type: "active", predicate: isStorable });
    if (inSight.length === 0 || inSight.some((query) => query.state.dataUpdatedAt < openedAt)) return;
    stop();
    setConnection({ savedAt: null });
  });
}
