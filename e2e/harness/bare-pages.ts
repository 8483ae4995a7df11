import type { BarePage } from "./page-shapes.ts";

const bare = ["button Language", "button Theme: *"];
const typing = ["textbox New password", "button Show password", "button Save the password"];

/** Every page before the sign-in, but for set-up, which is gone once there is an owner. */
export const barePages: readonly BarePage[] = [
  {
    path: "/sign-in",
    ready: "heading: Sign in",
    controls: [
      ...bare,
      "textbox E-mail",
      "textbox Password",
      "button Show password",
      "button Sign in",
      "link Forgot password?",
    ],
  },
  {
    path: "/forgot-password",
    ready: "link: Back to sign-in",
    controls: [...bare, "link Back to sign-in"],
  },
  {
    path: "/reset-password",
    at: () => "/reset-password#token",
    ready: "heading: Choose a new password",
    controls: [...bare, ...typing],
  },
  {
    path: "/confirm-email",
    at: () => "/confirm-email#token",
    ready: "button: Confirm this address",
    controls: [...bare, "button Confirm this address"],
  },
  {
    path: "/acknowledge",
    at: () => "/acknowledge#token",
    ready: "link: Go to Vedette",
    controls: [...bare, "link Go to Vedette"],
  },
  {
    path: "/invitation",
    at: ({ invitation }) => `/invitation#${invitation}`,
    ready: "heading: Join Northwind",
    controls: [
      ...bare,
      "textbox Your name",
      "textbox E-mail",
      "textbox Password",
      "button Show password",
      "button Create account and join",
    ],
  },
];
