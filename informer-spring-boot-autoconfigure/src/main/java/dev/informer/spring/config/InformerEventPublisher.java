/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.config;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.InformerState.Phase;
import dev.informer.Lister;
import dev.informer.SharedIndexInformer;
import dev.informer.client.TimeSource;
import dev.informer.replicas.Leadership;
import dev.informer.replicas.ReplicaEvent;
import dev.informer.replicas.ReplicaEvent.LeadershipAcquired;
import dev.informer.replicas.ReplicaEvent.LeadershipLost;
import dev.informer.replicas.ReplicaEvent.SlotsAcquired;
import dev.informer.replicas.ReplicaEvent.SlotsLost;
import dev.informer.replicas.ReplicaEvent.SlotsReleased;
import dev.informer.replicas.ReplicaListener;
import dev.informer.replicas.Sharding;
import dev.informer.spring.InformerApplicationEvent;
import dev.informer.spring.InformerRecoveredEvent;
import dev.informer.spring.InformerRegistry;
import dev.informer.spring.InformerStaleEvent;
import dev.informer.spring.InformerSyncedEvent;
import dev.informer.spring.LeadershipAcquiredEvent;
import dev.informer.spring.LeadershipLostEvent;
import dev.informer.spring.SlotsAcquiredEvent;
import dev.informer.spring.SlotsReleasedEvent;
import dev.informer.support.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes {@link InformerApplicationEvent}s. Informers only mark that their state has
 * changed, once each. The publishing thread reads the current state, so that nothing
 * accumulates behind a slow listener.
 * <p>
 * <b>Concurrency.</b> {@code stale} and {@code awaited} are confined to that thread,
 * which exists while events are pending.
 */
public final class InformerEventPublisher implements InformerListener, ReplicaListener, DisposableBean {

	private static final Logger logger = LoggerFactory.getLogger(InformerEventPublisher.class);

	private final ApplicationEventPublisher publisher;

	private final InformerRegistry registry;

	private final Duration failingThreshold;

	private final TimeSource time;

	private final ScheduledThreadPoolExecutor executor;

	private final FailureLog failures = new FailureLog(logger, TimeSource.SYSTEM::nanoTime,
			"Listeners for events of informers", Map.of(), 1);

	private final Set<SharedIndexInformer<?>> changed = ConcurrentHashMap.newKeySet();

	private final Map<SharedIndexInformer<?>, Future<?>> awaited = new HashMap<>();

	/**
	 * Stale informers for which an event was published, with the time of the first
	 * failure.
	 */
	private final Map<SharedIndexInformer<?>, Instant> stale = new HashMap<>();

	/**
	 * Create a publisher. An informer is stale once it has been failing for the
	 * threshold.
	 */
	public InformerEventPublisher(ApplicationEventPublisher publisher, InformerRegistry registry,
			Duration failingThreshold, TimeSource time) {
		this.publisher = publisher;
		this.registry = registry;
		this.failingThreshold = failingThreshold;
		this.time = time;
		this.executor = new ScheduledThreadPoolExecutor(1, InformerEventPublisher::newThread,
				new ThreadPoolExecutor.DiscardPolicy());
		this.executor.setKeepAliveTime(10, TimeUnit.SECONDS);
		this.executor.allowCoreThreadTimeOut(true);
		this.executor.setRemoveOnCancelPolicy(true);
	}

	private static Thread newThread(Runnable task) {
		Thread thread = new Thread(task, "informer-events");
		thread.setDaemon(true);
		return thread;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.Synced synced) {
			Instant now = this.time.now();
			this.executor.execute(() -> {
				Lister<?> lister = synced.informer().lister();
				publish(new InformerSyncedEvent(synced.informer().name(), now,
						"synced " + synced.informer().resourceType() + ": " + lister.size() + " objects after "
								+ TimeSource.millis(synced.duration()) + " ms"));
			});
		}
		else if (event instanceof InformerEvent.StateChanged || event instanceof InformerEvent.NamespacesChanged
				|| event instanceof InformerEvent.Removed) {
			changed(event.informer());
		}
	}

	@Override
	public void onEvent(ReplicaEvent event) {
		if (event instanceof LeadershipAcquired acquired) {
			Leadership leadership = acquired.leadership();
			publishLater(new LeadershipAcquiredEvent(leadership.election(), leadership.identity()), leadership);
		}
		else if (event instanceof LeadershipLost lost) {
			Leadership leadership = lost.leadership();
			publishLater(new LeadershipLostEvent(leadership.election(), leadership.identity(), lost.reason()),
					leadership);
		}
		else if (event instanceof SlotsAcquired acquired) {
			Sharding sharding = acquired.sharding();
			publishLater(new SlotsAcquiredEvent(sharding.group(), sharding.identity(), acquired.slots()), sharding);
		}
		else if (event instanceof SlotsReleased released) {
			released(released.sharding(), released.slots(), false, "they move to other replicas");
		}
		else if (event instanceof SlotsLost lost) {
			released(lost.sharding(), lost.slots(), true, lost.reason());
		}
	}

	private void released(Sharding sharding, Set<Integer> slots, boolean lost, String reason) {
		publishLater(new SlotsReleasedEvent(sharding.group(), sharding.identity(), slots, lost, reason), sharding);
	}

	private void publishLater(Object event, Leadership leadership) {
		this.executor.execute(() -> publish(event, "election '" + leadership.election() + "'"));
	}

	private void publishLater(Object event, Sharding sharding) {
		this.executor.execute(() -> publish(event, "group '" + sharding.group() + "'"));
	}

	private void changed(SharedIndexInformer<?> informer) {
		if (this.changed.add(informer)) {
			this.executor.execute(() -> {
				this.changed.remove(informer);
				update(informer);
				users(informer).forEach(this::update);
			});
		}
	}

	/**
	 * Return the informers whose namespaces are selected by an informer.
	 */
	private List<SharedIndexInformer<?>> users(SharedIndexInformer<?> informer) {
		return this.registry.informers()
			.stream()
			.<SharedIndexInformer<?>>map((each) -> each)
			.filter((each) -> each.namespaceInformer().filter((namespaces) -> namespaces == informer).isPresent())
			.toList();
	}

	private void update(SharedIndexInformer<?> informer) {
		if (!this.registry.informers().contains(informer)) {
			cancelCheck(informer);
			this.stale.remove(informer);
			return;
		}
		Optional<Outage> outage = Outage.of(informer, this.registry.isRequired(informer));
		if (outage.isPresent()) {
			stale(informer, outage.get());
			return;
		}
		cancelCheck(informer);
		if (informer.state().phase() == Phase.WATCHING) {
			Instant since = this.stale.remove(informer);
			if (since != null) {
				publish(new InformerRecoveredEvent(informer.name(), this.time.now(),
						"watches " + informer.resourceType() + " again; stale since " + since));
			}
		}
	}

	private void cancelCheck(SharedIndexInformer<?> informer) {
		Future<?> check = this.awaited.remove(informer);
		if (check != null) {
			check.cancel(false);
		}
	}

	private void stale(SharedIndexInformer<?> informer, Outage outage) {
		if (this.stale.containsKey(informer)) {
			return;
		}
		long left = outage.nanosToReport(this.failingThreshold, this.time);
		if (left <= 0) {
			Instant since = outage.since().time();
			this.stale.put(informer, since);
			publish(new InformerStaleEvent(informer.name(), since, outage.reason()));
		}
		else if (!this.awaited.containsKey(informer)) {
			this.awaited.put(informer, this.executor.schedule(() -> {
				this.awaited.remove(informer);
				update(informer);
			}, left, TimeUnit.NANOSECONDS));
		}
	}

	private void publish(InformerApplicationEvent event) {
		publish(event, "informer '" + event.informer() + "'");
	}

	private void publish(Object event, String source) {
		try {
			this.publisher.publishEvent(event);
		}
		catch (Throwable ex) {
			// An Error of a listener must not end the publishing thread
			this.failures.report(Level.WARN, event.getClass().getSimpleName(),
					"Listener for " + event.getClass().getSimpleName() + " of " + source
							+ " failed; it is not affected. Further failures are counted, with one "
							+ "line a minute at most",
					ex);
			return;
		}
		this.failures.logSummaryIfDue();
	}

	@Override
	public void destroy() {
		boolean interrupted = Thread.currentThread().isInterrupted();
		this.executor.shutdownNow();
		if (!interrupted) {
			// A listener that closes the context runs here, and would be interrupted
			// while
			// the other beans are destroyed
			Thread.interrupted();
		}
		this.failures.logSummary();
	}

}
