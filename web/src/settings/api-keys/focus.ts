/** Where the focus goes when a dialog about keys is gone. */
export function focusCreateButton(): void {
  const button = document.querySelector<HTMLElement>("[data-create-key]");
  (button ?? document.getElementById("content"))?.focus();
}
