/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.recorder;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

import dev.informer.client.Moment;
import dev.informer.client.TimeSource;
import dev.informer.support.Arguments;
import dev.informer.support.FailureLog;
import dev.informer.support.UntrustedText;
import dev.informer.writer.ObjectWriter;
import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.EventsV1EventSeries;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Default {@link EventRecorder}.
 * <p>
 * <b>Concurrency.</b> A lock guards the queue and the series; it is held neither during a
 * request nor while a line is logged. A series with unwritten occurrences is in the
 * queue, or being written: also if a step of the thread throws, which may be one of the
 * log, of an interceptor or of the memory. The thread goes on after a pause, and takes
 * the series that it has left. State is changed after what may throw.
 */
final class DefaultEventRecorder implements EventRecorder {

	private static final Logger logger = LoggerFactory.getLogger(EventRecorder.class);

	/** Maximum number of series with unwritten occurrences, and of those without. */
	static final int MAX_SERIES = 5_000;

	private static final String RECORD = "record an Event";

	/** Delay of the first retry. */
	private static final long MIN_DELAY = TimeUnit.SECONDS.toNanos(1);

	private static final long MAX_DELAY = TimeUnit.SECONDS.toNanos(30);

	/** Attempts of client-go. */
	private static final int MAX_ATTEMPTS = 12;

	private static final Duration DRAIN = Duration.ofSeconds(5);

	/** Time until a thread that was interrupted must have ended. */
	private static final Duration GRACE = Duration.ofSeconds(1);

	/** Pause after a failure if the clock fails as well. */
	private static final long SHORT_PAUSE = TimeUnit.MILLISECONDS.toNanos(100);

	private static final long LOG_INTERVAL = TimeUnit.HOURS.toNanos(1);

	/** Limit of the API server for a note, in bytes. */
	private static final int MAX_NOTE = 1024;

	/** Its limit for the reason, the action and the instance, in bytes. */
	private static final int MAX_TEXT = 128;

	private static final Pattern CONTROLLER = Pattern
		.compile("((?=[^/]{1,253}/)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(?=.{1,63}$)"
				+ "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

	private final ObjectWriter writer;

	private final String controller;

	private final String instance;

	private final TimeSource time;

	private final ThreadFactory threads;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final EventQueue queue = new EventQueue(MAX_SERIES);

	private final WrittenSeries written = new WrittenSeries(MAX_SERIES);

	/** Time of the last warning by status code; confined to the thread. */
	private final Map<Integer, Long> warned = new HashMap<>();

	/** Number of steps of the thread that have thrown in a row; confined to it. */
	private int faults;

	private @Nullable Thread thread;

	/** Whether the last attempt to start the thread has failed. */
	private boolean startFailed;

	/** Series that was taken from the queue and not returned to it. */
	private @Nullable EventSeries writing;

	private long number;

	private long pending;

	private long dropped;

	private boolean closed;

	/** Whether the time to write after the close is over. */
	private boolean expired;

	/** Number of writes that the server has not answered since the last success. */
	private int outage;

	/** Time until which no write begins, because the server is not available. */
	private long pausedUntil;

	DefaultEventRecorder(ObjectWriter writer, String reportingController, String host, TimeSource time) {
		this(writer, reportingController, host, time, Thread::new);
	}

	DefaultEventRecorder(ObjectWriter writer, String reportingController, String host, TimeSource time,
			ThreadFactory threads) {
		Arguments.require("create an EventRecorder", "writer", writer);
		if (reportingController == null || !CONTROLLER.matcher(reportingController).matches()) {
			throw new IllegalArgumentException("'" + reportingController + "' cannot be the name of a controller. "
					+ "Use up to 63 letters, digits, '-', '_' and '.', optionally after a domain and '/', "
					+ "such as example.com/shop.");
		}
		this.writer = writer;
		this.controller = reportingController;
		this.instance = shortened(reportingController + "-" + host, MAX_TEXT);
		this.time = time;
		this.threads = threads;
		this.pausedUntil = time.nanoTime();
	}

	/**
	 * Return the name of this host, which is that of the pod in a cluster.
	 */
	static String hostName() {
		String name = System.getenv("HOSTNAME");
		try {
			return (name != null && !name.isBlank()) ? name : InetAddress.getLocalHost().getHostName();
		}
		catch (UnknownHostException ex) {
			return "unknown";
		}
	}

	@Override
	public void normal(KubernetesObject regarding, String reason, String action, String note) {
		record(regarding, "Normal", reason, action, note);
	}

	@Override
	public void warning(KubernetesObject regarding, String reason, String action, String note) {
		record(regarding, "Warning", reason, action, note);
	}

	private void record(KubernetesObject regarding, String type, String reason, String action, String note) {
		Arguments.require(RECORD, "regarding", regarding);
		Arguments.require(RECORD, "reason", reason);
		Arguments.require(RECORD, "action", action);
		Arguments.require(RECORD, "note", note, "Pass an empty text for none.");
		if (reason.isEmpty() || action.isEmpty()) {
			throw new IllegalArgumentException("Cannot record an Event without "
					+ (reason.isEmpty() ? "a reason" : "an action") + ". Name it in one word, such as Scale.");
		}
		V1ObjectReference reference = EventSeries.reference(regarding);
		EventSeries.Identity identity = EventSeries.Identity.of(reference, type, shortened(reason, MAX_TEXT),
				shortened(action, MAX_TEXT));
		String text = shortened(note, MAX_NOTE);
		Throwable startFailure;
		this.lock.lock();
		try {
			Moment now = this.time.moment();
			EventSeries series = this.closed ? null : unwritten(identity, reference, now);
			if (series == null) {
				this.dropped++;
				return;
			}
			series.add(now, text);
			this.pending++;
			startFailure = startThread();
		}
		finally {
			this.lock.unlock();
		}
		reportStart(startFailure);
	}

	/**
	 * Return the series of an identity, in the queue; {@code null} if there is no room.
	 */
	private @Nullable EventSeries unwritten(EventSeries.Identity identity, V1ObjectReference regarding, Moment now) {
		EventSeries known = this.queue.get(identity);
		if (known != null || !this.queue.admits(identity.eventNamespace())) {
			return known;
		}
		EventSeries excess = this.queue.excess();
		if (excess != null) {
			finish(excess);
		}
		EventSeries earlier = this.written.remove(identity);
		EventSeries series = (earlier != null && !earlier.isOver(now)) ? earlier
				: new EventSeries(identity, regarding, nextNumber(now.time()), now);
		series.schedule(now.nanoTime());
		enqueue(series);
		return series;
	}

	/**
	 * Return a number for the name of an Event, that of the time as for client-go. No two
	 * are the same, also if the clock stands still.
	 */
	private long nextNumber(Instant now) {
		this.number = Math.max(this.number + 1, TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
		return this.number;
	}

	private void enqueue(EventSeries series) {
		this.queue.add(series);
		this.changed.signalAll();
	}

	/**
	 * Start the thread if it is not started, and return a failure that is to be reported.
	 */
	private @Nullable Throwable startThread() {
		if (this.thread != null) {
			return null;
		}
		boolean known = this.startFailed;
		try {
			Thread started = this.threads.newThread(this::run);
			started.setName("informer-event-recorder");
			started.setDaemon(true);
			started.start();
			this.thread = started;
			this.startFailed = false;
			return null;
		}
		catch (Throwable ex) {
			this.startFailed = true;
			return known ? null : ex;
		}
	}

	private void reportStart(@Nullable Throwable failure) {
		if (failure != null) {
			FailureLog.log(logger::atError, "Event recorder '" + this.controller
					+ "' could not start its thread; the next event or the close starts it", failure);
		}
	}

	/**
	 * Return the beginning of a text that has at most a number of bytes.
	 */
	static String shortened(String text, int maxBytes) {
		int bytes = 0;
		int end = 0;
		for (int i = 0; i < text.length();) {
			int codePoint = text.codePointAt(i);
			bytes += (codePoint < 0x80) ? 1 : (codePoint < 0x800) ? 2 : Character.isBmpCodePoint(codePoint) ? 3 : 4;
			if (bytes > maxBytes) {
				return text.substring(0, end) + '\u2026';
			}
			i += Character.charCount(codePoint);
			// the character that says that the text was shortened has three bytes
			end = (bytes <= maxBytes - 3) ? i : end;
		}
		return text;
	}

	@Override
	public long pending() {
		this.lock.lock();
		try {
			return this.pending;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public long dropped() {
		this.lock.lock();
		try {
			return this.dropped;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void close() {
		close(DRAIN);
	}

	@Override
	public void close(Duration drain) {
		Thread running;
		long before;
		Throwable startFailure;
		this.lock.lock();
		try {
			startFailure = this.queue.isEmpty() ? null : startThread();
			running = this.thread;
			before = this.dropped;
			this.closed = true;
			this.changed.signalAll();
			hurry();
		}
		finally {
			this.lock.unlock();
		}
		reportStart(startFailure);
		if (running != null) {
			join(running, drain);
		}
		expire();
		if (running != null) {
			running.interrupt();
			join(running, GRACE);
		}
		long discarded = dropped() - before;
		if (discarded > 0) {
			FailureLog.log(logger::atWarn, "Event recorder '" + this.controller + "' was closed; discarding "
					+ discarded + " events that are not written", null);
		}
	}

	/**
	 * Make all series due within a second, instead of after their delays.
	 */
	private void hurry() {
		long now = this.time.nanoTime();
		this.pausedUntil = now;
		for (EventSeries waiting : this.queue.waiting()) {
			this.queue.reschedule(waiting, now + Math.min(waiting.due() - now, EventSeries.MIN_REFRESH));
		}
	}

	/**
	 * Drop what is not written yet, except for what is being written.
	 */
	private void expire() {
		this.lock.lock();
		try {
			this.expired = true;
			this.queue.waiting().forEach(this::finish);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void join(Thread running, Duration timeout) {
		try {
			this.time.join(running, TimeSource.nanos(timeout));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void run() {
		boolean open = true;
		while (open) {
			try {
				open = writeNext();
				this.faults = 0;
			}
			catch (Throwable ex) {
				pauseAfter(ex);
			}
		}
	}

	/**
	 * Wait after a step has thrown. Throws nothing: nothing else would continue.
	 */
	private void pauseAfter(Throwable cause) {
		try {
			this.faults++;
			FailureLog.log(() -> logger.atLevel((this.faults == 1) ? Level.ERROR : Level.DEBUG),
					"Event recorder '" + this.controller + "': its thread failed; continuing", cause);
			this.lock.lock();
			try {
				await(delay(this.faults, Duration.ZERO));
			}
			catch (Throwable ex) {
				this.changed.awaitNanos(SHORT_PAUSE);
			}
			finally {
				this.lock.unlock();
			}
		}
		catch (Throwable ex) {
			// reported already
		}
	}

	/**
	 * Write the next series, and return whether there was one.
	 */
	private boolean writeNext() {
		EventSeries series = take();
		if (series != null) {
			write(series);
		}
		return series != null;
	}

	/**
	 * Wait for the next series to write; {@code null} at the end.
	 */
	private @Nullable EventSeries take() {
		this.lock.lock();
		try {
			resume();
			while (true) {
				if (this.closed && this.queue.isEmpty()) {
					return null;
				}
				long now = this.time.nanoTime();
				long wait = Math.max(this.queue.nanosToNext(now), this.pausedUntil - now);
				if (wait > 0) {
					await(wait);
					continue;
				}
				EventSeries next = this.queue.take(now);
				this.writing = next;
				if (this.closed || !next.isContinued(now)) {
					return next;
				}
				this.queue.add(next);
				this.writing = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return the series to the queue that a step has left because it threw.
	 */
	private void resume() {
		EventSeries left = this.writing;
		if (left == null) {
			return;
		}
		if (left.fail() < MAX_ATTEMPTS && !this.expired) {
			this.queue.add(left);
			this.writing = null;
		}
		else {
			finish(left);
		}
	}

	private void await(long nanos) {
		try {
			this.time.await(this.changed, nanos);
		}
		catch (InterruptedException ex) {
			// that of close(), which has emptied the queue, or left by an interceptor
		}
	}

	private void write(EventSeries series) {
		EventsV1Event event;
		EventsV1EventSeries count;
		boolean created;
		long occurrences;
		this.lock.lock();
		try {
			event = series.event().reportingController(this.controller).reportingInstance(this.instance);
			count = series.series();
			created = series.isCreated();
			occurrences = series.count();
		}
		finally {
			this.lock.unlock();
		}
		EventFailure failure = null;
		try {
			if (created) {
				this.writer.patch(event, (copy) -> copy.setSeries(count));
			}
			else {
				this.writer.create(event.series(count));
			}
		}
		catch (Throwable ex) {
			failure = EventFailure.of(ex);
		}
		if (failure == null) {
			written(series, occurrences);
		}
		else {
			failed(series, created, failure);
		}
	}

	private void written(EventSeries series, long occurrences) {
		this.lock.lock();
		try {
			long now = this.time.nanoTime();
			this.outage = 0;
			this.pending -= series.pending();
			series.written(occurrences, now);
			this.pending += series.pending();
			if (!this.closed) {
				series.schedule(now);
			}
			endWrite(series, series.pending() > 0 && !this.expired);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Return a series to the queue, or finish it.
	 */
	private void endWrite(EventSeries series, boolean again) {
		if (again) {
			enqueue(series);
			this.writing = null;
		}
		else {
			finish(series);
		}
	}

	/**
	 * Remove a series from those with unwritten occurrences. If it has some, they are
	 * dropped.
	 */
	private void finish(EventSeries series) {
		this.dropped += series.pending();
		this.pending -= series.pending();
		series.drop();
		this.queue.remove(series);
		if (this.writing == series) {
			this.writing = null;
		}
		this.written.add(series);
	}

	private void failed(EventSeries series, boolean created, EventFailure failure) {
		boolean otherwise = failure.isOtherwise(created);
		boolean retrying;
		boolean reported;
		this.lock.lock();
		try {
			long now = this.time.nanoTime();
			int failures = series.fail();
			series.created(created != otherwise);
			retrying = (otherwise || (failure.isTemporary() && !this.closed)) && failures < MAX_ATTEMPTS
					&& !this.expired;
			reported = !otherwise && !failure.namespaceGone() && !this.expired;
			series.due(now + (otherwise ? 0 : delay(failures, failure.retryAfter())));
			if (failure.isOutage() && !this.closed) {
				this.outage++;
				this.pausedUntil = now + delay(this.outage, failure.retryAfter());
			}
			endWrite(series, retrying);
		}
		finally {
			this.lock.unlock();
		}
		if (reported) {
			report(UntrustedText.of(series.namespace()), created ? "patch" : "create", failure, retrying);
		}
	}

	private static long delay(int failures, Duration atLeast) {
		long delay = Math.min(MIN_DELAY << Math.min(failures - 1, 5), MAX_DELAY);
		// replicas that failed at the same time retry at different ones
		long jittered = delay + ThreadLocalRandom.current().nextLong(delay / 4);
		return Math.max(jittered, TimeSource.nanos(atLeast));
	}

	/**
	 * Log a failure: at WARN the first one with its status code within an hour.
	 */
	private void report(String namespace, String verb, EventFailure failure, boolean retrying) {
		long now = this.time.nanoTime();
		Long last = this.warned.get(failure.code());
		boolean warn = last == null || now - last > LOG_INTERVAL;
		if (warn) {
			this.warned.put(failure.code(), now);
		}
		FailureLog.log(() -> logger.atLevel(warn ? Level.WARN : Level.DEBUG),
				"Event recorder '" + this.controller + "' could not " + verb + " an Event in namespace '" + namespace
						+ "' (" + failure.reason() + "); " + (retrying ? "retrying" : "discarding it")
						+ failure.remedy(namespace),
				null);
	}

}
