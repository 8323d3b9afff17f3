import { type ReactNode, useEffect, useRef } from 'react';

/** A page: its heading takes the focus when one comes here, and names the tab. */
export function Page({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Switchboard`;
  }, [title]);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <header className="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </header>
      {children}
    </>
  );
}
