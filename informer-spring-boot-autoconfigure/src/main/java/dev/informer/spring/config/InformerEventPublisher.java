/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerEvent;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.spring.InformerApplicationEvent;
import dev.informer.spring.InformerRecoveredEvent;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InformerStaleEvent;
import dev.informer.spring.InformerSyncedEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes {@link InformerApplicationEvent}s. Informers only leave the note that their
 * state has changed, one each; what the state is then is looked at by the thread that
 * publishes, so that nothing piles up behind a listener that is slow.
 * <p>
 * <b>Concurrency.</b> Which informers are stale belongs to that one thread, which is
 * there while there is something to publish.
 */
public final class InformerEventPublisher implements InformerListener, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(InformerEventPublisher.class);

	private final ApplicationEventPublisher publisher;

	private final InformerRegistry registry;

	private final Duration failingThreshold;

	private final Clock clock;

	private final ScheduledThreadPoolExecutor executor;

	private final Set<SharedIndexInformer<?>> changed = ConcurrentHashMap.newKeySet();

	private final Set<SharedIndexInformer<?>> awaited = new HashSet<>();

	/** Since when informers have been failing that were said to be stale. */
	private final Map<SharedIndexInformer<?>, Instant> stale = new HashMap<>();

	/**
	 * Creates a publisher.
	 * @param publisher takes the events
	 * @param registry has the informers
	 * @param failingThreshold how long an informer may be failing before it is stale
	 * @param clock the time
	 */
	public InformerEventPublisher(ApplicationEventPublisher publisher, InformerRegistry registry,
			Duration failingThreshold, Clock clock) {
		this.publisher = publisher;
		this.registry = registry;
		this.failingThreshold = failingThreshold;
		this.clock = clock;
		this.executor = new ScheduledThreadPoolExecutor(1, InformerEventPublisher::newThread,
				new ThreadPoolExecutor.DiscardPolicy());
		this.executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
	}

	private static Thread newThread(Runnable task) {
		Thread thread = new Thread(task, "informer-events");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.Synced synced) {
			Instant now = this.clock.instant();
			this.executor.execute(() -> {
				Lister<?> lister = synced.informer().lister();
				publish(new InformerSyncedEvent(synced.informer().name(), now,
						"has synced " + synced.informer().resourceType() + ": " + lister.size() + " objects after "
								+ synced.duration().toMillis() + " ms"));
			});
		}
		else if (event instanceof InformerEvent.StateChanged changed) {
			changed(changed.informer());
		}
		else if (event instanceof InformerEvent.Removed removed) {
			changed(removed.informer());
		}
	}

	private void changed(SharedIndexInformer<?> informer) {
		if (this.changed.add(informer)) {
			this.executor.execute(() -> {
				this.changed.remove(informer);
				look(informer);
			});
		}
	}

	private void look(SharedIndexInformer<?> informer) {
		if (!this.registry.informers().contains(informer)) {
			this.stale.remove(informer);
			return;
		}
		Optional<Failing> failing = failing(informer);
		if (failing.isPresent()) {
			failing(informer, failing.get());
		}
		else if (informer.state().phase() == Phase.WATCHING) {
			Instant since = this.stale.remove(informer);
			if (since != null) {
				publish(new InformerRecoveredEvent(informer.name(), this.clock.instant(),
						"follows " + informer.resourceType() + " again, which it had not since " + since));
			}
		}
	}

	private Optional<Failing> failing(SharedIndexInformer<?> informer) {
		return informer.statesByNamespace()
			.values()
			.stream()
			.flatMap((state) -> failing(informer, state).stream())
			.min(Comparator.comparing(Failing::due));
	}

	private Optional<Failing> failing(SharedIndexInformer<?> informer, InformerState state) {
		InformerFailure failure = state.failure();
		Instant since = state.failingSince();
		boolean absent = state.phase() == Phase.DORMANT && !this.registry.isRequired(informer);
		if (failure == null || since == null || absent || state.phase() == Phase.STOPPED) {
			return Optional.empty();
		}
		Instant due = (state.phase() == Phase.FAILED) ? since : since.plus(this.failingThreshold);
		return Optional.of(new Failing(since, due, failure.message()));
	}

	private void failing(SharedIndexInformer<?> informer, Failing failing) {
		if (this.stale.containsKey(informer)) {
			return;
		}
		Duration left = Duration.between(this.clock.instant(), failing.due());
		if (left.isNegative() || left.isZero()) {
			this.stale.put(informer, failing.since());
			publish(new InformerStaleEvent(informer.name(), failing.since(), failing.reason()));
		}
		else if (this.awaited.add(informer)) {
			this.executor.schedule(() -> {
				this.awaited.remove(informer);
				look(informer);
			}, left.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private void publish(InformerApplicationEvent event) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (RuntimeException ex) {
			logger.atWarn()
				.addKeyValue("informer", event.informer())
				.setCause(ex)
				.log("A listener for {} of informer '{}' has thrown; the informer goes on",
						event.getClass().getSimpleName(), event.informer());
		}
	}

	@Override
	public void destroy() {
		this.executor.shutdownNow();
	}

	/**
	 * A failure that goes on.
	 *
	 * @param since since when
	 * @param due from when on the informer is stale
	 * @param reason why
	 */
	private record Failing(Instant since, Instant due, String reason) {
	}

}
