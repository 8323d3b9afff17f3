import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { useSession } from '../session/use-session.ts';
import { keep, readKept } from '../storage.ts';
import { type Job, type JobRequest, parseJobs } from './job.ts';

const KEPT_AS = 'switchboard.jobs';

interface Jobs {
  /** The newest first. */
  readonly list: readonly Job[];
  /** Takes a job up; one that is there already stays as it is. */
  start(id: string, title: string, request: JobRequest): void;
  /** Its outcome has been seen. */
  drop(id: string): void;
}

const JobsContext = createContext<Jobs | null>(null);

export function useJobs(): Jobs {
  const jobs = useContext(JobsContext);
  if (jobs === null) throw new Error('jobs are for those who are signed in');
  return jobs;
}

/** Keeps the jobs over changes of page, and in the tab over reloads: a second click or load asks for the same one. */
export function JobsKeeper({ children }: { readonly children: ReactNode }): ReactNode {
  const { caller } = useSession().viewer;
  const [list, setList] = useState(() => parseJobs(readKept('session', KEPT_AS), caller));

  useEffect(() => {
    keep('session', KEPT_AS, list.length === 0 ? null : JSON.stringify(list));
  }, [list]);

  const jobs = useMemo(
    (): Jobs => ({
      list,
      start: (id, title, request) =>
        setList((before) => {
          if (before.some((job) => job.id === id)) return before;
          const next = [{ id, caller, title, request, isKept: false }, ...before];
          // Before it is asked for: an effect could come too late for a reload in between.
          keep('session', KEPT_AS, JSON.stringify(next));
          return next;
        }),
      drop: (id) => setList((before) => before.filter((job) => job.id !== id)),
    }),
    [list, caller],
  );
  return <JobsContext value={jobs}>{children}</JobsContext>;
}
