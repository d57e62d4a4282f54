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
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.informer.InformerEvent;
import dev.informer.InformerListener;
import dev.informer.SharedIndexInformer;
import org.jspecify.annotations.Nullable;

/**
 * Remembers how often calls of handlers were repeated, and what the last one that failed
 * has thrown: its class alone, since a message may have parts of an object in it.
 */
public class HandlerHistory implements InformerListener {

	private static final Calls NONE = new Calls(0, null);

	private final Map<String, Calls> calls = new ConcurrentHashMap<>();

	private final Clock clock;

	HandlerHistory(Clock clock) {
		this.clock = clock;
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.HandlersChanged changed) {
			Set<String> there = changed.informer()
				.handlers()
				.stream()
				.map((handler) -> key(changed.informer(), handler.name()))
				.collect(Collectors.toSet());
			forget((key) -> key.startsWith(key(changed.informer(), "")) && !there.contains(key));
		}
		else if (event instanceof InformerEvent.Removed removed) {
			forget((key) -> key.startsWith(key(removed.informer(), "")));
		}
		else if (event instanceof InformerEvent.HandlerInvoked invoked) {
			if (invoked.attempt() > 1 || invoked.failure() != null) {
				this.calls.compute(key(invoked.informer(), invoked.handler()), (key, known) -> {
					Calls before = (known != null) ? known : NONE;
					return new Calls(before.retries() + ((invoked.attempt() > 1) ? 1 : 0),
							(invoked.failure() != null)
									? new LastError(invoked.failure().getClass().getName(), this.clock.instant())
									: before.lastError());
				});
			}
		}
	}

	private void forget(Predicate<String> keys) {
		this.calls.keySet().removeIf(keys);
	}

	/**
	 * What is known of the calls of a handler.
	 */
	Calls of(SharedIndexInformer<?> informer, String handler) {
		return this.calls.getOrDefault(key(informer, handler), NONE);
	}

	private static String key(SharedIndexInformer<?> informer, String handler) {
		return informer.name() + "/" + handler;
	}

	/**
	 * The calls of a handler.
	 *
	 * @param retries how many there were in addition to the first ones
	 * @param lastError what the last failure was; {@code null} when there was none
	 */
	record Calls(long retries, @Nullable LastError lastError) {
	}

	/**
	 * What a call has thrown.
	 *
	 * @param type the name of the class
	 * @param time when
	 */
	public record LastError(String type, Instant time) {
	}

}
