/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.Cancellation;
import dev.informer.client.ListerWatcher;
import dev.informer.client.Moment;
import dev.informer.client.ObjectSelector;
import dev.informer.client.TimeSource;
import dev.informer.client.UndecodableObject;
import dev.informer.client.WatchStream;
import dev.informer.reflector.AttemptOutcome.Listed;
import dev.informer.reflector.AttemptOutcome.Result;
import dev.informer.reflector.RetryDecider.Attempt;
import dev.informer.reflector.RetryDecider.Decision;
import dev.informer.reflector.RetryDecider.RetryState;
import io.kubernetes.client.common.KubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Lists and watches a resource and hands each change to a sink. After a failure it
 * watches again from the last resource version where possible, and lists again where not.
 * <p>
 * It runs one attempt after the other: {@link ListSession}, {@link RollbackCheck} and
 * {@link WatchSession} return an {@link AttemptOutcome}, {@link RetryDecider} maps it to
 * a {@link Decision}, and the reflector applies that. It is the only one that waits.
 * <p>
 * <b>Concurrency.</b> {@link #run()} is executed by one thread at a time. State without a
 * guard is confined to that thread, and kept across restarts. {@link #stop()},
 * {@link #relist(RelistReason)} and the accessors may be called by any thread; they
 * communicate with the running one through {@link ReflectorControl} and
 * {@link ReflectorStatus}.
 *
 * @see <a href=
 * "https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes">Efficient
 * detection of changes</a>
 */
public final class Reflector<T extends KubernetesObject> implements Runnable {

	private final ReflectorSettings settings;

	private final ListerWatcher<T> source;

	private final UnaryOperator<Delta<T>> sink;

	private final ReflectorStatus status;

	private final ReflectorControl control;

	private final ResourceVersionState versions;

	private final ListSession<T> lists;

	private final RollbackCheck<T> rollbackCheck;

	private final WatchSession<T> watches;

	private final RetryDecider decider;

	private RetryState retryState;

	private Attempt next = Attempt.LIST;

	/** Whether bits of the last list have changed, or a part of it is unreadable. */
	private boolean corrupted;

	/** Whether the selected objects have not been listed. */
	private boolean unlisted;

	/**
	 * Create a reflector, which does nothing until it is run. {@code sink} accepts the
	 * changes in the order of the server's and does not wait until one is applied. It
	 * returns them after their transform.
	 */
	Reflector(ReflectorSettings settings, ListerWatcher<T> source, Indexer<T> cache, UnaryOperator<Delta<T>> sink,
			ReflectorStatus status, TimeSource time) {
		this.settings = settings;
		this.source = source;
		this.sink = sink;
		this.status = status;
		this.control = new ReflectorControl(time);
		this.versions = new ResourceVersionState(cache::nextEpoch, settings.isReturning());
		this.lists = new ListSession<>(settings, source, cache, this.versions, this.status, time);
		this.rollbackCheck = new RollbackCheck<>(settings, source, cache, this.versions, this.status);
		WatchedEvents<T> events = new WatchedEvents<>(settings, this::handOver, this.versions, this.rollbackCheck,
				status, this.control);
		this.watches = new WatchSession<>(new WatchOpener<>(settings, source, this.lists, this.versions), events,
				this.versions, status, this.control, time);
		this.decider = new RetryDecider(settings, time, () -> ThreadLocalRandom.current().nextDouble());
		this.retryState = new RetryState(settings.options().backoff());
	}

	/**
	 * Return the namespace, empty for all namespaces.
	 */
	public String namespace() {
		return this.settings.namespace();
	}

	public InformerState state() {
		return this.status.state();
	}

	/**
	 * Return the time of the last response or event from the server, empty before the
	 * first one.
	 */
	public Optional<Moment> lastActivity() {
		return Optional.ofNullable(this.status.lastActivity());
	}

	/**
	 * Return whether the server is known to have the changes that the cache contains, or
	 * will contain once it has applied the lists that were handed over. After a
	 * connection broke, another server may answer, or etcd may have been restored, so
	 * that the versions of the cache mean nothing until that is ruled out.
	 */
	public boolean isVerified() {
		return this.status.isVerified() && !this.rollbackCheck.isMissingObject();
	}

	/**
	 * Return the encoding of the last response, empty before the first one.
	 */
	public Optional<String> encoding() {
		return this.source.encoding();
	}

	/**
	 * Publish the recovery if a quiet watch has been open for long enough to prove it,
	 * and list if it has not explained why an object was missing. End the watch if the
	 * cache has to be compared, see {@link ReflectorControl}. To be called by another
	 * thread, because that of the reflector waits for the next event.
	 * @return the nanoseconds until it is to be called again, {@link Long#MAX_VALUE} if
	 * the state does not change while the server is quiet
	 */
	public long superviseWatch() {
		this.status.checkProof();
		// The server sends at once what happened before a watch, so nothing more is to
		// come.
		if (this.rollbackCheck.isMissingObject() && this.status.nanosToSecond() == 0) {
			this.status.unverified();
			this.rollbackCheck.listed();
			relist(RelistReason.ROLLBACK);
		}
		else if (this.control.nanosToComparison() == 0) {
			this.control.endForComparison();
		}
		long nanos = Math.min(this.status.nanosToProof(), this.control.nanosToComparison());
		return this.rollbackCheck.isMissingObject() ? Math.min(nanos, this.status.nanosToSecond()) : nanos;
	}

	/**
	 * Have the cache compared with the server, because names have changed on the way. The
	 * objects are not cached because of that.
	 */
	public void corrupted(List<UndecodableObject> objects) {
		this.control.corrupted();
		objects.forEach(this.status::undecodable);
	}

	/**
	 * Select the objects to list and watch from now on, all objects by default. Ends a
	 * watch; unchanged objects are not decoded again.
	 */
	public void select(ObjectSelector selector) {
		this.control.select(selector);
	}

	/**
	 * Allow {@link #run()} after a stop. Must not be called while it runs.
	 */
	public void reset() {
		this.retryState = new RetryState(this.settings.options().backoff());
		this.status.reset();
		this.control.reset();
	}

	/**
	 * List and watch until {@link #stop()}, or until a failure that is permanent. Every
	 * run begins with a list.
	 */
	@Override
	public void run() {
		this.next = Attempt.LIST;
		boolean proceed = true;
		while (proceed && !this.control.isStopped()) {
			acceptRelistRequest();
			acceptSelection();
			compareIfDue();
			AttemptOutcome<T> outcome = attempt(this.control.begin());
			this.control.end();
			this.lists.attempted(outcome.result());
			proceed = apply(this.decider.decide(outcome, this.retryState));
		}
		if (proceed) {
			this.status.stopped();
		}
		else if (this.control.isStopped()) {
			this.status.ended();
		}
	}

	/**
	 * Stop {@link #run()}: every wait and every request returns at once.
	 */
	public void stop() {
		this.control.stop();
	}

	/**
	 * Stop, and ignore {@link #reset()} from now on.
	 */
	public void close() {
		this.control.close();
		this.lists.close();
		this.status.ended();
	}

	/**
	 * Cancel the current attempt and list, and return whether a new list follows. A
	 * {@link RelistReason#REQUESTED requested} list decodes every object, also those
	 * whose version is cached. A request during such a list joins it.
	 */
	public boolean relist(RelistReason reason) {
		return this.control.relist(reason);
	}

	/**
	 * Request a list of a resource that is not watched before its interval is over, with
	 * the most recent version and in the same epoch. Does not end a list or a backoff.
	 * @param handedOver called after each list that is handed over from now on
	 * @return whether a list that began after this has been handed over
	 */
	public BooleanSupplier poll(Runnable handedOver) {
		return this.control.poll(handedOver);
	}

	private void acceptRelistRequest() {
		RelistReason requested = this.control.takeRelistRequest();
		if (requested == null) {
			return;
		}
		if (requested == RelistReason.ROLLBACK) {
			this.versions.rolledBack();
		}
		else if (requested == RelistReason.REQUESTED) {
			// A new default of a CRD, a conversion or a server upgrade can change objects
			// without changing their versions.
			this.versions.startNewEpoch();
		}
		this.retryState = this.decider.relisting(requested, this.retryState);
		proceed(Attempt.LIST, requested);
	}

	/**
	 * List what was selected until that has succeeded: a watch would miss the objects
	 * that were not selected before.
	 */
	private void acceptSelection() {
		ObjectSelector selector = this.control.takeSelection();
		if (selector != null) {
			this.versions.select(selector);
			this.unlisted = true;
			// the pages of an interrupted list are those of other objects
			this.next = this.next.isList() ? Attempt.LIST : this.next;
		}
		if (this.unlisted && !this.next.isList()) {
			proceed(Attempt.LIST, RelistReason.WATCHED_SET);
		}
	}

	private void compareIfDue() {
		if (!this.next.isList() && this.control.takeComparison()) {
			this.retryState = this.decider.comparing(this.retryState);
			this.next = Attempt.COMPARE;
		}
	}

	private AttemptOutcome<T> attempt(Cancellation cancellation) {
		// Only stop() ends this thread. A flag that user code left, for example a
		// transform or a listener, would make every request fail.
		Thread.interrupted();
		try {
			return switch (this.next) {
				case LIST -> list(cancellation);
				case LIST_BY_PAGES -> listByPages(cancellation);
				case CHECK_ROLLBACK -> this.rollbackCheck.checkVersion(cancellation);
				case COMPARE -> this.rollbackCheck.compareObjects(cancellation);
				case VERIFY_AND_WATCH -> this.watches.verifyAndWatch(cancellation);
				case WATCH -> this.watches.watch(cancellation);
			};
		}
		catch (RuntimeException | Error ex) {
			// The sink may throw. This thread must survive it: no other one follows the
			// server.
			return AttemptOutcome.of(Result.LIST_FAILED, ex);
		}
	}

	private AttemptOutcome<T> list(Cancellation cancellation) {
		if (this.settings.options().watch() || state().phase() != Phase.WATCHING) {
			this.status.enter(Phase.LISTING);
		}
		if (this.control.listing()) {
			this.versions.requireMostRecent();
		}
		return follow(handOver(this.lists.list(cancellation)), cancellation);
	}

	private AttemptOutcome<T> listByPages(Cancellation cancellation) {
		this.status.enter(Phase.LISTING);
		return handOver(this.lists.listByPages(cancellation));
	}

	/**
	 * Hand over a complete list, and return the outcome without objects. The frames of
	 * this method and of its callers end with the objects, so that the watch that follows
	 * does not retain those of its list.
	 */
	private AttemptOutcome<T> handOver(AttemptOutcome<T> outcome) {
		Listed<T> listed = outcome.listed();
		if (listed == null) {
			return outcome;
		}
		try {
			replace(listed);
			return AttemptOutcome.of(listed.withoutObjects());
		}
		catch (RuntimeException | Error ex) {
			if (listed.stream() != null) {
				listed.stream().close();
			}
			throw ex;
		}
	}

	/**
	 * Continue a streaming list as a watch, on the same stream and therefore in the same
	 * attempt.
	 */
	private AttemptOutcome<T> follow(AttemptOutcome<T> outcome, Cancellation cancellation) {
		Listed<T> listed = outcome.listed();
		if (listed == null || listed.stream() == null) {
			return outcome;
		}
		try (WatchStream<T> stream = listed.stream()) {
			apply(this.decider.decide(outcome, this.retryState));
			return this.watches.follow(stream, listed.remaining(), cancellation);
		}
	}

	private void replace(Listed<T> listed) {
		listed.undecodable().forEach(this.status::undecodable);
		this.versions.replaced(listed.resourceVersion());
		this.rollbackCheck.listed();
		this.control.listed();
		this.unlisted = false;
		boolean before = this.corrupted;
		this.corrupted = listed.undecodable().stream().anyMatch(UndecodableObject::corrupted);
		if (this.corrupted && !before) {
			this.control.corrupted();
		}
		handOver(Delta.ofList(this.settings.namespace(), listed.objects(), listed.undecodable(), listed.deleted(),
				this.versions.selector(), listed.resourceVersion(), this.versions.epoch()));
		// only now: the cache is at an earlier state until it has applied the list
		this.status.verified();
		this.control.handedOver();
	}

	private void handOver(Delta<T> delta) {
		this.lists.handedOver(this.sink.apply(delta));
	}

	/**
	 * Report the failure, wait, set the next attempt, and return whether to make it.
	 */
	private boolean apply(Decision decision) {
		this.retryState = decision.state();
		FailureClassification failure = decision.failure();
		Phase phase = decision.phase();
		if (failure != null && phase == Phase.FAILED) {
			this.status.gaveUp(failure);
			return false;
		}
		if (failure != null && phase != null) {
			if (!this.settings.options().watch()) {
				// between two lists, nothing else shows that the server may be another
				// one
				this.status.unverified();
			}
			Moment failed = this.status.retrying(failure, phase, decision.delay(), decision.next());
			this.control.await(failed, decision.delay());
		}
		else if (failure != null) {
			this.status.mentioned(failure, decision.next());
		}
		else if (!decision.delay().isZero()) {
			this.control.awaitPoll(this.status.polled(), decision.delay());
		}
		proceed(decision.next(), decision.relistReason());
		return true;
	}

	private void proceed(Attempt next, @Nullable RelistReason relistReason) {
		this.next = next;
		if (relistReason != null) {
			this.status.relisting(relistReason);
		}
	}

}
