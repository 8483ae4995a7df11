import { Pause, Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { Button } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { CopyDialog } from "../components/CopyButton.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { Field } from "../components/Field.tsx";
import { Menu, MenuChoices, MenuItem, MenuLabel } from "../components/Menu.tsx";
import { showToast } from "../toasts.ts";
import { Exhibit } from "./Exhibit.tsx";

const choices = [
  { value: "one", text: "One of these" },
  { value: "other", text: "Always holds" },
] as const;

/** What opens above the page, each from the button that keeps the focus for it. */
export function Overlays() {
  const [open, setOpen] = useState<"dialog" | "confirm" | "secret" | null>(null);
  const [choice, setChoice] = useState<"one" | "other">("one");
  const close = () => setOpen(null);
  const focusButton = useCallback(() => document.getElementById("open-dialog")?.focus(), []);
  return (
    <Exhibit
      of={["Menu", "Dialog", "ConfirmDialog", "CopyDialog", "ToastRegion"]}
      text="Escape closes each and gives the focus back."
    >
      <Menu trigger={<Button variant="quiet">Open a menu</Button>}>
        <MenuLabel>What it belongs to</MenuLabel>
        <MenuItem icon={<Pause aria-hidden />} onSelect={() => {}}>
          Pause checks
        </MenuItem>
        <MenuChoices label="Which" value={choice} choices={choices} onChoose={setChoice} />
        <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => {}}>
          Delete…
        </MenuItem>
      </Menu>
      <Button variant="quiet" id="open-dialog" onClick={() => setOpen("dialog")}>
        Open a dialog
      </Button>
      <Button variant="quiet" onClick={() => setOpen("confirm")}>
        Confirm an action
      </Button>
      <Button variant="quiet" onClick={() => setOpen("secret")}>
        Show a secret
      </Button>
      <Button variant="quiet" onClick={() => showToast("success", "Checkout API was saved.")}>
        Show a toast
      </Button>
      {open === "dialog" && (
        <Dialog
          title="Edit Checkout API"
          text="Changes count from the next check on."
          onLeft={focusButton}
          onClose={close}
        >
          <div className="mt-5">
            <Field label="Name" defaultValue="Checkout API" />
          </div>
          <div className="mt-6">
            <DialogButtons onCancel={close}>
              <Button onClick={close}>Save</Button>
            </DialogButtons>
          </div>
        </Dialog>
      )}
      {open === "confirm" && (
        <ConfirmDialog
          title="Delete Checkout API?"
          text="Its checks stop and its history is removed. This cannot be undone."
          submitLabel="Delete"
          busy={false}
          error={new Error("The server cannot be reached. Try again.")}
          onLeft={focusButton}
          onConfirm={close}
          onCancel={close}
        />
      )}
      {open === "secret" && (
        <CopyDialog
          title="Deploy was created"
          text="Copy its token now: it is not shown again."
          value="vdt_3q2-7wTfq0kd4mPS0oK9mA8R1s5dX2uVYbGmN7hJcQw"
          doneLabel="Done"
          onLeft={focusButton}
          onClose={close}
        />
      )}
    </Exhibit>
  );
}
