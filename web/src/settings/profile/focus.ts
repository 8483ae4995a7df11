/** Where the focus goes when a dialog is gone: to the button of that name, or, where it is gone too, to the page. */
const focusOn = (name: string) => (): void => {
  const button = document.querySelector<HTMLElement>(`[data-opens=${name}]`);
  (button ?? document.getElementById("content"))?.focus();
};

export const focusEmail = focusOn("email");
export const focusPassword = focusOn("password");
export const focusTwoFactor = focusOn("two-factor");
export const focusRecoveryCodes = focusOn("recovery-codes");
export const focusSignIns = focusOn("sign-ins");
