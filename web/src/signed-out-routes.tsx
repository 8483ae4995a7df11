import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { languageFollowed } from "./api/preferences.ts";
import { authStateQuery, sessionQuery } from "./api/session.ts";
import { ToastRegion } from "./components/Toast.tsx";
import { lazyPage } from "./frame/lazy-page.ts";
import { CommandPalette } from "./frame/palette/CommandPalette.tsx";

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: () => (
    <>
      <Outlet />
      <CommandPalette />
      <ToastRegion />
    </>
  ),
});

const setUp = createRoute({
  getParentRoute: () => root,
  path: "/set-up",
  component: lazyPage(
    ["signed-out/set-up"],
    async () => (await import("./signed-out/set-up/SetUpPage.tsx")).SetUpPage,
  ),
  beforeLoad: async ({ context }) => {
    const state = await context.queryClient.fetchQuery(authStateQuery);
    if (!state.setupRequired) redirect({ to: "/", throw: true });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  component: lazyPage(
    ["signed-out/sign-in"],
    async () => (await import("./signed-out/sign-in/SignInPage.tsx")).SignInPage,
  ),
  validateSearch: (search): { from?: string; ended?: true } => ({
    from: typeof search.from === "string" ? search.from : undefined,
    ended: search.ended ? true : undefined,
  }),
  beforeLoad: ({ context }) => sendNewcomersToSetUp(context.queryClient),
});

/** A page outside of the frame, with a session or without. `before`: what it waits for. */
const barePage = <const Path extends string>(
  path: Path,
  texts: Parameters<typeof lazyPage>[0],
  script: Parameters<typeof lazyPage>[1],
  before?: (given: { context: { queryClient: QueryClient } }) => Promise<void>,
) =>
  createRoute({
    ...{ getParentRoute: () => root, path, component: lazyPage(texts, script) },
    beforeLoad: (given) => before?.(given),
  });

export const publicPages = [
  setUp,
  signIn,
  barePage(
    "/forgot-password",
    ["signed-out/password-reset"],
    async () => (await import("./signed-out/password-reset/ForgotPasswordPage.tsx")).ForgotPasswordPage,
  ),
  // Links in mails and messages lead to these.
  barePage(
    "/reset-password",
    ["signed-out/password-reset"],
    async () => (await import("./signed-out/password-reset/ResetPasswordPage.tsx")).ResetPasswordPage,
  ),
  barePage(
    "/confirm-email",
    ["signed-out/confirm-email"],
    async () => (await import("./signed-out/confirm-email/ConfirmEmailPage.tsx")).ConfirmEmailPage,
  ),
  // Opened from messages, in whatever browser: who is signed in there reads it in the language of their account.
  barePage(
    "/acknowledge",
    ["signed-out/acknowledge"],
    async () => (await import("./signed-out/acknowledge/AcknowledgePage.tsx")).AcknowledgePage,
    ({ context }) => context.queryClient.fetchQuery(sessionQuery).then(languageFollowed, languageFollowed),
  ),
  barePage(
    "/invitation",
    ["signed-out/invitation", "signed-out/sign-in"],
    async () => (await import("./signed-out/invitation/InvitationPage.tsx")).InvitationPage,
  ),
  // For people who build the app; no page leads there.
  barePage(
    "/styleguide",
    ["forms", "monitors"],
    async () => (await import("./styleguide/StyleguidePage.tsx")).StyleguidePage,
  ),
] as const;

/** Redirects to the set-up where no account exists yet. */
export async function sendNewcomersToSetUp(queryClient: QueryClient): Promise<void> {
  const state = await queryClient.fetchQuery(authStateQuery);
  if (state.setupRequired) redirect({ to: "/set-up", throw: true });
}
