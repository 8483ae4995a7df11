/** The mark: a V that looks out. */
export function Logo({ className = "size-6" }: { className?: string }) {
  return (
    <svg aria-hidden viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="8" className="fill-action" />
      <path
        d="M7 9.5l7.3 13.6a2 2 0 0 0 3.4 0L25 9.5"
        fill="none"
        strokeWidth="3"
        strokeLinecap="round"
        className="stroke-on-action"
      />
      <circle cx="16" cy="10.6" r="3.1" className="fill-up" />
    </svg>
  );
}
