package dev.informer.reflector;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import dev.informer.InformerListener.RelistReason;
import dev.informer.InformerListener.WatchEnd;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.TimeSource;
import dev.informer.source.ListPage;
import dev.informer.source.ListRequest;
import dev.informer.source.ListerWatcher;
import dev.informer.source.MalformedResponseException;
import dev.informer.source.RequestScope;
import dev.informer.source.ServerStatus;
import dev.informer.source.ServerStatusException;
import dev.informer.source.WatchEvent;
import dev.informer.source.WatchRequest;
import dev.informer.source.WatchStream;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists a resource, watches it from there on, and does whatever it takes to go on after a
 * failure: watch again from the last resource version where that is possible, list again
 * where it is not.
 * <p>
 * <b>Concurrency.</b> {@link #run()} is executed by one thread at a time, and everything
 * that has no other guard belongs to that thread, the resource version across restarts
 * included. {@link #stop()}, {@link #relist()} and the accessors may be called by any
 * thread; they reach the running one through {@link Pause} and {@link ReflectorStatus}.
 *
 * @param <T> the type of the objects
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Efficient
 * detection of changes</a>
 */
public final class Reflector<T extends KubernetesObject> implements Runnable {

	private static final long VERY_SHORT_NANOS = Duration.ofSeconds(1).toNanos();

	private static final int VERY_SHORT_IN_ROW = 3;

	private static final int MALFORMED_IN_ROW = 2;

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final ReflectorSink<T> sink;

	private final TimeSource time;

	private final ReflectorListener listener;

	private final ReflectorStatus status;

	private final Pause pause;

	private final Backoff backoff;

	/** The version reached; empty before the first list. */
	private String lastSync = "";

	/** Whether the server said that it does not have that version. */
	private boolean unavailable;

	/** Whether a list without pages was cut off by the server. */
	private boolean cut;

	/** Whether the server pages even what it could serve from its watch cache. */
	private boolean paginated;

	private boolean listFirst = true;

	private boolean givenUp;

	private int veryShortInRow;

	private int malformedInRow;

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
		this.backoff = new Backoff(settings.options().backoff(), time, () -> ThreadLocalRandom.current().nextDouble());
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
		this.givenUp = false;
		while (!this.pause.isStopped() && !this.givenUp) {
			if (this.pause.takeRelistWanted()) {
				relist(RelistReason.FAILURE);
			}
			RequestScope scope = this.pause.begin();
			if (this.listFirst) {
				list(scope);
			}
			else {
				watch(scope);
			}
		}
		if (!this.givenUp) {
			this.status.enter(Phase.STOPPED);
		}
	}

	/**
	 * Ends {@link #run()}: every wait and every request returns at once.
	 */
	public void stop() {
		this.pause.stop();
	}

	/**
	 * Makes the next thing that is done a list, because the store may not have everything
	 * that was brought.
	 */
	public void relist() {
		this.pause.relist();
	}

	private void list(RequestScope scope) {
		this.status.enter(Phase.LISTING);
		long began = this.time.nanoTime();
		boolean success = false;
		try {
			success = list(scope, firstVersion());
		}
		catch (ServerStatusException ex) {
			success = !scope.isCancelled() && listWithoutVersion(scope, ex);
		}
		catch (IOException | RuntimeException ex) {
			if (!scope.isCancelled()) {
				afterFailure(ex, "list");
			}
		}
		finally {
			if (success || !scope.isCancelled()) {
				this.listener.listed(Duration.ofNanos(this.time.nanoTime() - began), success);
			}
		}
	}

	/**
	 * The version that was asked for is not there: once more, without one.
	 */
	private boolean listWithoutVersion(RequestScope scope, ServerStatusException failure) {
		ServerStatus refusal = failure.status();
		if (!refusal.isExpired() && !refusal.isResourceVersionTooLarge()) {
			afterFailure(failure, "list");
			return false;
		}
		this.unavailable = true;
		try {
			return list(scope, "");
		}
		catch (IOException | RuntimeException ex) {
			if (!scope.isCancelled()) {
				afterFailure(ex, "list");
			}
			return false;
		}
	}

	private String firstVersion() {
		if (this.unavailable || this.cut) {
			return "";
		}
		return this.lastSync.isEmpty() ? "0" : this.lastSync;
	}

	private boolean list(RequestScope scope, String version) throws IOException {
		boolean paged = version.isEmpty() || version.equals("0") || this.paginated;
		ListRequest request = new ListRequest(version, paged ? this.settings.options().pageSize() : 0, null);
		Snapshot<T> snapshot = new Snapshot<>();
		ListPage first = page(request, snapshot, scope);
		ListPage page = first;
		while (page.continueToken() != null) {
			this.paginated |= "0".equals(version);
			try {
				page = page(request.next(page.continueToken()), snapshot, scope);
			}
			catch (ServerStatusException ex) {
				if (!ex.status().isExpired()) {
					throw ex;
				}
				snapshot = new Snapshot<>();
				first = page(new ListRequest(version, 0, null), snapshot, scope);
				page = first;
			}
		}
		if (scope.isCancelled()) {
			return false;
		}
		snapshot.undecodable().forEach(this.status::undecodable);
		this.sink.replace(snapshot.objects(), snapshot.undecodable(), first.resourceVersion());
		this.lastSync = first.resourceVersion();
		this.unavailable = false;
		this.cut = false;
		this.malformedInRow = 0;
		this.listFirst = false;
		return true;
	}

	/**
	 * Reads a page; a continuation that fails for a passing reason is read again by the
	 * same token.
	 */
	private ListPage page(ListRequest request, Snapshot<T> snapshot, RequestScope scope) throws IOException {
		int objects = snapshot.objects().size();
		int undecodable = snapshot.undecodable().size();
		while (true) {
			try {
				ListPage page = this.source.list(request, snapshot, scope);
				this.status.active();
				return page;
			}
			catch (IOException ex) {
				this.cut |= request.limit() == 0 && snapshot.objects().size() > objects;
				if (request.continueToken() == null || !isPassing(ex) || scope.isCancelled()) {
					throw ex;
				}
				snapshot.rollback(objects, undecodable);
				backOff(FailureAnalysis.of(ex, "list", this.settings), Phase.BACKING_OFF);
				if (scope.isCancelled()) {
					throw ex;
				}
				this.status.enter(Phase.LISTING);
			}
		}
	}

	private static boolean isPassing(IOException failure) {
		if (failure instanceof ServerStatusException refused) {
			return refused.status().isOverloaded();
		}
		return !(failure instanceof MalformedResponseException);
	}

	private void watch(RequestScope scope) {
		long began = this.time.nanoTime();
		String from = this.lastSync;
		boolean opened = false;
		Exception failure = null;
		try (WatchStream<T> stream = this.source.watch(new WatchRequest(from, watchTimeout()), scope)) {
			opened = true;
			began = this.time.nanoTime();
			opened();
			read(stream);
		}
		catch (IOException | RuntimeException ex) {
			failure = ex;
		}
		if (scope.isCancelled()) {
			if (opened) {
				this.listener.watchEnded(WatchEnd.STOPPED);
			}
			return;
		}
		boolean proven = !from.equals(this.lastSync) || this.time.nanoTime() - began >= VERY_SHORT_NANOS;
		if (opened && proven) {
			this.veryShortInRow = 0;
			this.status.recovered();
		}
		ended(opened, proven, failure);
	}

	/**
	 * An open watch is a success, unless the ones before it were open just as well.
	 */
	private void opened() {
		this.status.active();
		this.status.enter(Phase.WATCHING);
		if (this.veryShortInRow == 0 && this.malformedInRow == 0) {
			this.status.recovered();
		}
	}

	private void ended(boolean opened, boolean proven, @Nullable Exception failure) {
		boolean broken = failure instanceof IOException && !(failure instanceof ServerStatusException)
				&& !(failure instanceof MalformedResponseException);
		if (failure != null && !(broken && opened)) {
			boolean expired = failure instanceof ServerStatusException refusal && refusal.status().isExpired();
			WatchEnd end = broken ? WatchEnd.UNREACHABLE : WatchEnd.REFUSED;
			this.listener.watchEnded(expired ? WatchEnd.EXPIRED : end);
			afterFailure(failure, "watch");
		}
		else if (!proven) {
			this.listener.watchEnded(WatchEnd.VERY_SHORT);
			afterVeryShortWatch(failure);
		}
		else {
			this.listener.watchEnded((failure != null) ? WatchEnd.BROKEN : WatchEnd.CLOSED);
		}
	}

	private void read(WatchStream<T> stream) throws IOException {
		WatchEvent<T> event = stream.next();
		while (event != null) {
			this.status.active();
			if (event instanceof WatchEvent.Failure<T> refusal) {
				throw new ServerStatusException(refusal.status());
			}
			this.status.recovered();
			this.malformedInRow = 0;
			handle(event);
			event = stream.next();
		}
	}

	private void handle(WatchEvent<T> event) {
		if (event instanceof WatchEvent.Change<T> change) {
			reached(change.object().getMetadata().getResourceVersion());
			this.sink.change(change.type(), change.object(), this.lastSync);
		}
		else if (event instanceof WatchEvent.Bookmark<T> bookmark) {
			reached(bookmark.resourceVersion());
			this.sink.progress(this.lastSync);
		}
		else if (event instanceof WatchEvent.Undecodable<T> broken) {
			reached(broken.object().resourceVersion());
			this.sink.undecodableChange(broken.type(), broken.object(), this.lastSync);
			this.status.undecodable(broken.object());
		}
	}

	private void reached(@Nullable String resourceVersion) {
		if (resourceVersion != null && !resourceVersion.isEmpty()) {
			this.lastSync = resourceVersion;
		}
	}

	private void afterVeryShortWatch(@Nullable Exception failure) {
		this.veryShortInRow++;
		backOff(FailureAnalysis.ofVeryShortWatch(failure, this.settings), Phase.BACKING_OFF);
		if (this.veryShortInRow >= VERY_SHORT_IN_ROW) {
			this.veryShortInRow = 0;
			relist(RelistReason.UNUSABLE_WATCH);
		}
	}

	private void relist(RelistReason reason) {
		this.listFirst = true;
		this.listener.relisting(reason);
	}

	/**
	 * Decides what comes next, then waits.
	 */
	private void afterFailure(Exception failure, String verb) {
		FailureAnalysis analysis = FailureAnalysis.of(failure, verb, this.settings);
		boolean watching = !this.listFirst;
		switch (analysis.kind()) {
			case INVALID -> {
				this.givenUp = true;
				this.status.failed(analysis, Phase.FAILED, Duration.ZERO);
			}
			case NOT_FOUND -> {
				backOff(analysis, Phase.DORMANT);
				relistIf(watching, RelistReason.RECOVERED);
			}
			case EXPIRED -> {
				backOff(analysis, Phase.BACKING_OFF);
				relistIf(watching, RelistReason.EXPIRED);
			}
			case MALFORMED_RESPONSE -> {
				backOff(analysis, Phase.BACKING_OFF);
				this.malformedInRow++;
				relistIf(watching && this.malformedInRow >= MALFORMED_IN_ROW, RelistReason.UNUSABLE_WATCH);
			}
			case OTHER -> {
				backOff(analysis, Phase.BACKING_OFF);
				relistIf(watching, RelistReason.FAILURE);
			}
			default -> backOff(analysis, Phase.BACKING_OFF);
		}
	}

	private void relistIf(boolean needed, RelistReason reason) {
		if (needed) {
			relist(reason);
		}
	}

	private void backOff(FailureAnalysis analysis, Phase phase) {
		Duration delay = this.backoff.next(analysis.cap());
		if (delay.compareTo(analysis.atLeast()) < 0) {
			delay = analysis.atLeast();
		}
		this.status.failed(analysis, phase, delay);
		this.pause.await(delay);
	}

	private Duration watchTimeout() {
		long shortest = this.settings.options().watchTimeout().toSeconds();
		return Duration.ofSeconds(shortest + ThreadLocalRandom.current().nextLong(shortest));
	}

}
