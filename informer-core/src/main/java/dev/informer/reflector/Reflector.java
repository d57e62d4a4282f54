/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import dev.informer.cache.Delta;
import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.MalformedResponseException;
import dev.informer.client.ServerStatusException;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchEvent;
import dev.informer.client.WatchEvent.ChangeType;
import dev.informer.client.WatchRequest;
import dev.informer.client.WatchStream;
import dev.informer.reflector.StreamingList.Streamed;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists a resource, watches it from there on, and does whatever it takes to go on after a
 * failure: watch again from the last resource version where that is possible, list again
 * where it is not.
 * <p>
 * <b>Concurrency.</b> {@link #run()} is executed by one thread at a time, and everything
 * that has no other guard belongs to that thread, the resource version across restarts
 * included. {@link #stop()}, {@link #relist(RelistReason)} and the accessors may be
 * called by any thread; they reach the running one through {@link Pause} and
 * {@link ReflectorStatus}.
 *
 * @param <T> the type of the objects
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Efficient
 * detection of changes</a>
 */
public final class Reflector<T extends KubernetesObject> implements Runnable {

	private static final long VERY_SHORT_NANOS = Duration.ofSeconds(1).toNanos();

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final ReflectorSink<T> sink;

	private final TimeSource time;

	private final ReflectorListener listener;

	private final ReflectorStatus status;

	private final Pause pause;

	private final FailureResponse failures;

	private final ResourceVersionState versions = new ResourceVersionState();

	private final StateReader<T> states;

	/** Whether the server was out of reach since it was last asked for its version. */
	private boolean outage;

	/** Whether what is watched is known to get a bookmark now and then. */
	private boolean bookmarked;

	private boolean listFirst = true;

	/** Whether the current watch has brought anything. */
	private boolean heard;

	/**
	 * Creates a reflector, which does nothing until it is run.
	 * @param settings what to reflect
	 * @param source lists and watches
	 * @param sink takes what that brings
	 * @param time the time
	 * @param listener hears what happens
	 */
	public Reflector(ReflectorSettings settings, ListerWatcher<T> source, ReflectorSink<T> sink, TimeSource time,
			ReflectorListener listener) {
		this.settings = settings;
		this.source = source;
		this.sink = sink;
		this.time = time;
		this.listener = listener;
		this.status = new ReflectorStatus(settings, time, listener);
		this.pause = new Pause(time);
		this.failures = new FailureResponse(settings, this.status, this.pause, time);
		this.states = new StateReader<>(settings, source, this.versions, time, new PageReports());
	}

	/**
	 * What it is doing.
	 * @return the state
	 */
	public InformerState state() {
		return this.status.state();
	}

	/**
	 * When the server was last heard.
	 * @return the time
	 */
	public Optional<Instant> lastActivity() {
		return Optional.ofNullable(this.status.lastActivity());
	}

	/**
	 * Allows {@link #run()} after a stop. Not to be called while it runs.
	 */
	public void reset() {
		this.pause.reset();
	}

	/**
	 * Lists and watches until {@link #stop()}, or until the server says something after
	 * which there is no use in asking again. The first thing after a start is a list.
	 */
	@Override
	public void run() {
		this.listFirst = true;
		this.failures.reset();
		while (!this.pause.isStopped() && !this.failures.isGivenUp()) {
			RelistReason wanted = this.pause.takeRelistWanted();
			if (wanted == RelistReason.REQUESTED) {
				this.versions.doubt();
			}
			listFirst(wanted);
			listOrWatch(this.pause.begin());
		}
		if (!this.failures.isGivenUp()) {
			this.status.enter(Phase.STOPPED);
		}
	}

	/**
	 * Whatever goes wrong, the thread goes on: nothing else brings what happens at the
	 * server.
	 */
	private void listOrWatch(Cancellation scope) {
		try {
			if (this.listFirst) {
				list(scope);
			}
			else {
				watch(scope);
			}
		}
		catch (RuntimeException | Error ex) {
			this.listFirst = true;
			this.failures.afterFailedList(ex);
		}
	}

	/**
	 * Ends {@link #run()}: every wait and every request returns at once.
	 */
	public void stop() {
		this.pause.stop();
	}

	/**
	 * Makes the next thing that is done a list.
	 * @param reason why. Of a list that somebody has asked for nothing is taken to be the
	 * same because its version is
	 */
	public void relist(RelistReason reason) {
		this.pause.relist(reason);
	}

	private void list(Cancellation scope) {
		this.status.enter(Phase.LISTING);
		if (!this.states.isStreaming() || !listByStream(scope)) {
			listByPages(scope);
		}
	}

	/**
	 * Reads the state as a stream, and goes on watching on it.
	 * @return whether that is all for now; {@code false} when pages have to be tried
	 */
	private boolean listByStream(Cancellation scope) {
		long began = this.time.nanoTime();
		Streamed<T> state;
		try {
			state = this.states.stream(watchTimeout(), scope);
		}
		catch (IOException | RuntimeException | Error ex) {
			if (scope.isCancelled()) {
				return true;
			}
			this.listener.listed(ListMode.STREAM, Duration.ofNanos(this.time.nanoTime() - began), false);
			FailureClassification analysis = FailureClassification.of(ex, "list", this.settings);
			if (isTooManyRequests(ex) || analysis.isRefusedConnection()) {
				this.failures.afterFailedList(ex);
				return true;
			}
			this.status.mentioned(analysis, "lists by pages instead of a stream");
			return false;
		}
		this.listener.listed(ListMode.STREAM, Duration.ofNanos(this.time.nanoTime() - began), true);
		try (WatchStream<T> stream = state.stream()) {
			replace(state.objects(), state.undecodable(), state.deleted(), state.resourceVersion());
			follow(() -> stream, scope);
		}
		return true;
	}

	private void listByPages(Cancellation scope) {
		long began = this.time.nanoTime();
		boolean success = false;
		Snapshot<T> snapshot = snapshot();
		try {
			String version = this.states.pages(snapshot, scope);
			if (snapshot.isReused() && this.versions.wentBack(version)) {
				snapshot = snapshot();
				version = this.states.pages(snapshot, scope);
			}
			success = !scope.isCancelled();
			if (success) {
				replace(snapshot.objects(), snapshot.undecodable(), Set.of(), version);
			}
		}
		catch (IOException | RuntimeException | Error ex) {
			if (!scope.isCancelled()) {
				this.failures.afterFailedList(ex);
			}
		}
		finally {
			if (success || !scope.isCancelled()) {
				this.listener.listed(ListMode.PAGES, Duration.ofNanos(this.time.nanoTime() - began), success);
			}
		}
	}

	private Snapshot<T> snapshot() {
		return new Snapshot<>((state) -> this.sink.known(this.settings.namespace(), this.versions.history(), state));
	}

	private static boolean isTooManyRequests(Throwable failure) {
		return failure instanceof ServerStatusException refusal && refusal.status().code() == 429;
	}

	private void replace(List<T> objects, List<UndecodableObject> undecodable, Set<String> deleted,
			String resourceVersion) {
		undecodable.forEach(this.status::undecodable);
		this.versions.replaced(resourceVersion);
		this.sink.accept(Delta.ofList(this.settings.namespace(), objects, undecodable, deleted, resourceVersion,
				this.versions.history()));
		this.failures.listed();
		this.outage = false;
		this.listFirst = false;
	}

	private void watch(Cancellation scope) {
		if (this.outage && !historyGoesOn(scope)) {
			return;
		}
		follow(() -> this.source.watch(new WatchRequest(this.versions.lastSync(), watchTimeout(), false), scope),
				scope);
	}

	/**
	 * After an outage the server may be another one, or have been restored from a backup:
	 * a watch at a version that it has not reached yet would be silent for a long time.
	 * @return whether the watch can go on from the last version
	 */
	private boolean historyGoesOn(Cancellation scope) {
		try {
			String current = this.states.currentVersion(scope);
			this.outage = false;
			if (this.versions.wentBack(current)) {
				listFirst(RelistReason.ROLLBACK);
			}
			return !this.listFirst;
		}
		catch (IOException | RuntimeException | Error ex) {
			if (!scope.isCancelled()) {
				this.listener.watchEnded(ex instanceof ServerStatusException ? WatchEnd.REFUSED : WatchEnd.UNREACHABLE);
				listFirst(this.failures.afterFailedLook(ex));
			}
			return false;
		}
	}

	private void follow(WatchOpener<T> opener, Cancellation scope) {
		long began = this.time.nanoTime();
		String from = this.versions.lastSync();
		boolean opened = false;
		this.heard = false;
		Throwable failure = null;
		try (WatchStream<T> stream = opener.open()) {
			opened = true;
			began = this.time.nanoTime();
			opened();
			read(stream);
		}
		catch (IOException | RuntimeException | Error ex) {
			failure = ex;
		}
		if (scope.isCancelled()) {
			if (opened) {
				this.listener.watchEnded(WatchEnd.STOPPED);
			}
			return;
		}
		boolean proven = !from.equals(this.versions.lastSync()) || this.time.nanoTime() - began >= VERY_SHORT_NANOS;
		if (opened && proven) {
			this.failures.watchProven();
			this.status.recovered();
		}
		ended(opened, proven, failure);
		if (!this.listFirst && this.versions.isVague()) {
			listFirst(RelistReason.UNUSABLE_WATCH);
		}
	}

	/**
	 * An open watch is a success, unless the ones before it were open just as well.
	 */
	private void opened() {
		this.status.active();
		this.status.enter(Phase.WATCHING);
		if (!this.failures.isWatchDoubtful()) {
			this.status.recovered();
		}
	}

	private void ended(boolean opened, boolean proven, @Nullable Throwable failure) {
		boolean broken = failure instanceof IOException && !(failure instanceof ServerStatusException)
				&& !(failure instanceof MalformedResponseException);
		this.outage |= broken && (!opened || failure instanceof InterruptedIOException) || isOutage(failure);
		if (failure != null && !(broken && opened)) {
			boolean expired = failure instanceof ServerStatusException refusal && refusal.status().isExpired();
			WatchEnd end = broken ? WatchEnd.UNREACHABLE : WatchEnd.REFUSED;
			this.listener.watchEnded(expired ? WatchEnd.EXPIRED : end);
			listFirst(this.failures.afterFailedWatch(failure));
		}
		else if (!proven) {
			this.listener.watchEnded(WatchEnd.VERY_SHORT);
			listFirst(this.failures.afterVeryShortWatch(failure));
		}
		else {
			// a server whose history went back is silent, too
			this.outage |= !this.heard;
			this.listener.watchEnded((failure != null) ? WatchEnd.BROKEN : WatchEnd.CLOSED);
			if (failure != null) {
				this.status.mentioned(FailureClassification.ofBrokenWatch(failure, this.settings),
						"watches again at once");
			}
		}
	}

	/**
	 * Whether something in front of the server says that there is none.
	 */
	private static boolean isOutage(@Nullable Throwable failure) {
		return failure instanceof ServerStatusException refusal && switch (refusal.status().code()) {
			case 502, 503, 504 -> true;
			default -> false;
		};
	}

	private void read(WatchStream<T> stream) throws IOException {
		if (this.bookmarked) {
			stream.idleTimeout(this.settings.options().watchIdleTimeout());
		}
		WatchEvent<T> event = stream.next();
		while (event != null) {
			this.status.active();
			if (event instanceof WatchEvent.Failure<T> refusal) {
				throw new ServerStatusException(refusal.status());
			}
			this.status.recovered();
			this.heard = true;
			handle(event);
			if (event instanceof WatchEvent.Bookmark<T> && !this.bookmarked) {
				this.bookmarked = true;
				stream.idleTimeout(this.settings.options().watchIdleTimeout());
			}
			event = stream.next();
		}
	}

	private void handle(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Change<T> change) {
			if (change.type() != ChangeType.ADDED || !this.versions.isVague()) {
				reached(change.object().getMetadata().getResourceVersion());
			}
			this.sink.accept(Delta.of(this.settings.namespace(), change, this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			reached(bookmark.resourceVersion());
			this.sink.accept(new Delta.Bookmark<>(this.settings.namespace(), this.versions.lastSync()));
		}
		else if (event instanceof WatchEvent.Undecodable<T> broken) {
			if (broken.type() != ChangeType.ADDED || !this.versions.isVague()) {
				reached(broken.object().state().resourceVersion());
			}
			this.sink.accept(Delta.of(this.settings.namespace(), broken, this.versions.lastSync()));
			this.status.undecodable(broken.object());
		}
	}

	private void reached(@Nullable String resourceVersion) {
		String before = this.versions.lastSync();
		this.versions.reached(resourceVersion);
		if (!before.equals(this.versions.lastSync())) {
			this.failures.progressed();
		}
	}

	private void listFirst(@Nullable RelistReason reason) {
		if (reason != null) {
			this.listFirst = true;
			this.listener.relisting(reason);
		}
	}

	private Duration watchTimeout() {
		long shortest = this.settings.options().watchTimeout().toSeconds();
		return Duration.ofSeconds(shortest + ThreadLocalRandom.current().nextLong(shortest));
	}

	/**
	 * Opens the watch that is followed.
	 */
	private interface WatchOpener<T> {

		WatchStream<T> open() throws IOException;

	}

	private final class PageReports implements PagedList.PageFailureHandler {

		@Override
		public void pageRead() {
			Reflector.this.status.active();
		}

		@Override
		public void pageFailed(IOException failure) {
			Reflector.this.failures.afterFailedList(failure);
			Reflector.this.status.enter(Phase.LISTING);
		}

	}

}
