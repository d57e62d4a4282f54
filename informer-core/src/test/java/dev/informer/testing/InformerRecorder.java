/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.testing;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.ListMode;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFactory;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.client.TimeSource;
import io.kubernetes.client.openapi.ApiClient;

/**
 * Listener that records the failures, lists and ends of watches of its informers.
 */
public final class InformerRecorder implements InformerListener {

	private final List<InformerFailure> failures = new CopyOnWriteArrayList<>();

	private final List<WatchEnd> ends = new CopyOnWriteArrayList<>();

	private final List<RelistReason> relists = new CopyOnWriteArrayList<>();

	private final List<ListMode> lists = new CopyOnWriteArrayList<>();

	/**
	 * Return a factory of informers that retry within 50 ms and that this records.
	 */
	public InformerFactory factory(ApiClient client, TimeSource time) {
		return factory(client, time, (options) -> {
		});
	}

	/**
	 * Create a factory with other defaults.
	 */
	public InformerFactory factory(ApiClient client, TimeSource time, Consumer<InformerOptions.Builder> defaults) {
		BackoffPolicy fast = new BackoffPolicy(Duration.ofMillis(5), 2, Duration.ofMillis(50), Duration.ofMillis(5),
				Duration.ofMinutes(2));
		InformerOptions.Builder options = new InformerOptions.Builder(InformerOptions.DEFAULT).backoff(fast);
		defaults.accept(options);
		return InformerFactory.create(() -> client,
				(settings) -> settings.addListener(this).time(time).defaults(options.build()));
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.Failed failed) {
			this.failures.add(failed.failure());
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			this.ends.add(ended.reason());
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			this.relists.add(relisting.reason());
		}
		else if (event instanceof InformerEvent.Listed listed) {
			this.lists.add(listed.mode());
		}
	}

	public List<InformerFailure> failures() {
		return List.copyOf(this.failures);
	}

	public List<InformerFailure.Kind> failureKinds() {
		return this.failures.stream().map(InformerFailure::kind).toList();
	}

	/**
	 * Return the reasons for which watches ended.
	 */
	public List<WatchEnd> ends() {
		return List.copyOf(this.ends);
	}

	public List<RelistReason> relists() {
		return List.copyOf(this.relists);
	}

	/**
	 * Return how each list was made.
	 */
	public List<ListMode> lists() {
		return List.copyOf(this.lists);
	}

}
