import { createContext, type ReactNode, use } from "react";
import { BareHeader } from "./BareHeader.tsx";

/** Whether the frame of a page, with its header and its <main>, already stands around. */
export const InsideFrame = createContext(false);

/** Stands for a whole page that cannot be shown: in the middle of the frame, or of a frame of its own. */
export function PageMessage({ children }: { children: ReactNode }) {
  const inside = use(InsideFrame);
  if (inside) return <div className="grid min-h-[60dvh] content-center">{children}</div>;
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <BareHeader />
      <main className="content-center pb-[20dvh]">{children}</main>
    </div>
  );
}
