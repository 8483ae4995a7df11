import { Outlet } from "@tanstack/react-router";
import { CommandPalette } from "../components/palette/CommandPalette.tsx";
import { ToastRegion } from "../components/ToastRegion.tsx";

/** What surrounds every page. */
export function RootPage() {
  return (
    <>
      <Outlet />
      <CommandPalette />
      <ToastRegion />
    </>
  );
}
