/** A bar that stands for text still on its way; give it the text's size by class. */
export function Skeleton({ className = "" }: { className?: string }) {
  return <span aria-hidden className={`breathing block rounded-sm bg-line ${className}`} />;
}
