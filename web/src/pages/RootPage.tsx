import { Outlet } from "@tanstack/react-router";
import { ToastRegion } from "../components/ToastRegion.tsx";

/** What surrounds every page. */
export function RootPage() {
  return (
    <>
      <Outlet />
      <ToastRegion />
    </>
  );
}
