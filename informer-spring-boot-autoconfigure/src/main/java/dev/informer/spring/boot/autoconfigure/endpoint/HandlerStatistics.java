/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure.endpoint;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

import dev.informer.HandlerRegistration;
import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Retries and last errors of handlers, for the {@code informers} endpoint. Keeps the
 * class of an exception only, since its message may contain parts of an object.
 */
public class HandlerStatistics implements InformerListener {

	private static final Statistics NONE = new Statistics(0, null);

	private final Map<SharedIndexInformer<?>, Map<String, Statistics>> statistics = new ConcurrentHashMap<>();

	private final Clock clock;

	HandlerStatistics(Clock clock) {
		this.clock = clock;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.HandlerInvoked invoked) {
			if (invoked.attempt() > 1 || invoked.failure() != null) {
				handlers(invoked.informer()).merge(invoked.handler(), statistics(invoked), Statistics::and);
			}
		}
		else if (event instanceof InformerEvent.HandlersChanged changed) {
			Set<String> names = changed.informer()
				.handlers()
				.stream()
				.map(HandlerRegistration::name)
				.collect(Collectors.toSet());
			handlers(changed.informer()).keySet().retainAll(names);
		}
		else if (event instanceof InformerEvent.Removed removed) {
			this.statistics.remove(removed.informer());
		}
	}

	Statistics of(SharedIndexInformer<?> informer, String handler) {
		return this.statistics.getOrDefault(informer, Map.of()).getOrDefault(handler, NONE);
	}

	private Map<String, Statistics> handlers(SharedIndexInformer<?> informer) {
		return this.statistics.computeIfAbsent(informer, (key) -> new ConcurrentHashMap<>());
	}

	private Statistics statistics(InformerEvent.HandlerInvoked invoked) {
		Throwable failure = invoked.failure();
		return new Statistics((invoked.attempt() > 1) ? 1 : 0,
				(failure != null) ? new LastError(failure.getClass().getName(), this.clock.instant()) : null);
	}

	/**
	 * Statistics of a handler.
	 *
	 * @param lastError the last error; {@code null} if no invocation has failed
	 */
	record Statistics(long retries, @Nullable LastError lastError) {

		private Statistics and(Statistics later) {
			return new Statistics(this.retries + later.retries,
					(later.lastError != null) ? later.lastError : this.lastError);
		}

	}

	/**
	 * Error of a handler.
	 *
	 * @param type the name of the exception class
	 * @param time the time of the error
	 */
	public record LastError(String type, Instant time) {
	}

}
