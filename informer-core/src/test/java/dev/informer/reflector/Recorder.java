/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.reflector;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

import dev.informer.BackoffPolicy;
import dev.informer.InformerEvent;
import dev.informer.InformerEvent.RelistReason;
import dev.informer.InformerEvent.WatchEnd;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.InformerState.Phase;
import dev.informer.cache.Delta;
import dev.informer.cache.Indexer;
import dev.informer.client.TimeSource;
import dev.informer.testing.ScriptedSource;
import io.kubernetes.client.openapi.models.V1Pod;

/**
 * Records the deltas and the events of a reflector.
 */
final class Recorder implements Consumer<Delta<V1Pod>>, InformerListener {

	final List<String> calls = new ArrayList<>();

	final List<InformerState> states = new ArrayList<>();

	final List<Phase> phases = new ArrayList<>();

	final List<InformerEvent.Listed> lists = new ArrayList<>();

	final List<WatchEnd> ends = new ArrayList<>();

	final List<RelistReason> relists = new ArrayList<>();

	final List<InformerFailure> failures = new ArrayList<>();

	/** The cache after the recorded deltas. */
	final Indexer<V1Pod> cache = new Indexer<>((description, failure) -> {
		throw new AssertionError(description, failure);
	});

	/**
	 * Return a reflector without jitter that ends with the script of its source.
	 */
	Reflector<V1Pod> reflector(ScriptedSource source, TimeSource time) {
		return reflector(source, time, (options) -> {
		});
	}

	/**
	 * Return a reflector with options, of which the backoff has no jitter by default.
	 */
	Reflector<V1Pod> reflector(ScriptedSource source, TimeSource time, Consumer<InformerOptions.Builder> options) {
		InformerOptions.Builder builder = new InformerOptions.Builder(InformerOptions.DEFAULT)
			.backoff(new BackoffPolicy(Duration.ofMillis(800), 2, Duration.ofSeconds(30), Duration.ZERO,
					Duration.ofMinutes(2)));
		options.accept(builder);
		Reflector<V1Pod> reflector = TestSettings.reflector(TestSettings.of(builder.build()), source, this.cache,
				this::record, time, this);
		source.atEnd(reflector::stop);
		return reflector;
	}

	/**
	 * Record a delta, and return it as it is.
	 */
	Delta<V1Pod> record(Delta<V1Pod> delta) {
		accept(delta);
		return delta;
	}

	@Override
	public void accept(Delta<V1Pod> delta) {
		if (delta instanceof Delta.ReplacedAll<V1Pod> state) {
			boolean sameEpoch = state.epoch() == this.cache.epoch("");
			this.calls
				.add("replace " + state.objects().values().stream().map((pod) -> pod.getMetadata().getName()).toList()
						+ " at " + state.resourceVersion() + (sameEpoch ? "" : " of another epoch")
						+ (state.deleted().isEmpty() ? "" : " without " + new TreeSet<>(state.deleted())));
			apply(this.cache.keys(""), state.objects(), delta);
			this.cache.beginEpoch("", state.epoch());
		}
		else if (delta instanceof Delta.Upserted<V1Pod> change) {
			apply(List.of(), Map.of(change.key(), change.object()), delta);
			this.calls.add("upsert " + change.object().getMetadata().getName() + " at " + change.resourceVersion());
		}
		else if (delta instanceof Delta.Deleted<V1Pod> deletion) {
			apply(List.of(deletion.key()), Map.of(), delta);
			this.calls.add("delete " + deletion.key() + " at " + deletion.resourceVersion());
		}
		else if (delta instanceof Delta.Unreadable<V1Pod> unreadable) {
			apply(List.of(), Map.of(), delta);
			this.calls.add("unreadable " + unreadable.key() + " at " + unreadable.resourceVersion());
		}
		else if (delta instanceof Delta.Bookmark<V1Pod> bookmark) {
			apply(List.of(), Map.of(), delta);
			this.calls.add("bookmark " + bookmark.resourceVersion());
		}
	}

	private void apply(List<String> removed, Map<String, V1Pod> stored, Delta<V1Pod> delta) {
		this.cache.apply(removed, stored, Map.of(delta.namespace(), delta.resourceVersion()));
	}

	@Override
	public void onEvent(InformerEvent event) {
		if (event instanceof InformerEvent.StateChanged changed) {
			this.states.add(changed.state());
			this.phases.add(changed.state().phase());
		}
		else if (event instanceof InformerEvent.Listed listed) {
			this.lists.add(listed);
		}
		else if (event instanceof InformerEvent.WatchEnded ended) {
			this.ends.add(ended.reason());
		}
		else if (event instanceof InformerEvent.Relisting relisting) {
			this.relists.add(relisting.reason());
		}
		else if (event instanceof InformerEvent.Failed failed) {
			this.failures.add(failed.failure());
		}
	}

}
