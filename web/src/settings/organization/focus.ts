/** Where the focus goes when a dialog about invitations is gone. */
export const focusInvite = (): void => document.querySelector<HTMLElement>("[data-invite]")?.focus();
