import { Button } from "./Button.tsx";
import { CopyableText, CopyButton } from "./CopyButton.tsx";
import { Dialog, focusedAtFirst } from "./Dialog.tsx";

interface CopyDialogProps {
  title: string;
  text: string;
  value: string;
  /** What the button says. Default: “Copy”. */
  copyLabel?: string;
  doneLabel: string;
  /** Gives the focus to what the reader came from, once the dialog is gone. */
  onLeft: () => void;
  onClose: () => void;
}

/** Shows a secret that is shown once, to be copied. */
export function CopyDialog({ title, text, value, copyLabel, doneLabel, onLeft, onClose }: CopyDialogProps) {
  return (
    <Dialog title={title} text={text} onLeft={onLeft} onClose={onClose}>
      <div className="mt-4">
        <CopyableText>{value}</CopyableText>
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <Button variant="quiet" onClick={onClose}>
          {doneLabel}
        </Button>
        <CopyButton ref={focusedAtFirst} value={value} label={copyLabel} />
      </div>
    </Dialog>
  );
}
