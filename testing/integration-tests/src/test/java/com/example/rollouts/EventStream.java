/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Client of the event stream that keeps the state of the page as a browser does.
 * Thread-safe.
 */
final class EventStream implements Flow.Subscriber<String>, AutoCloseable {

	private static final JsonMapper json = JsonMapper.builder().build();

	private final CompletableFuture<HttpResponse<Void>> response;

	private final List<String> names = new ArrayList<>();

	private final Map<String, PodSummary> pods = new TreeMap<>();

	private final Map<String, Rollout> rollouts = new TreeMap<>();

	private String name = "";

	private Flow.@Nullable Subscription subscription;

	private EventStream(HttpClient client, String url) {
		this.response = client.sendAsync(HttpRequest.newBuilder(URI.create(url)).build(),
				BodyHandlers.fromLineSubscriber(this));
	}

	static EventStream open(HttpClient client, String url) {
		return new EventStream(client, url + "/events");
	}

	/**
	 * Return the response, completed when the stream has ended.
	 */
	CompletableFuture<HttpResponse<Void>> response() {
		return this.response;
	}

	/**
	 * Return the names of all events in order.
	 */
	synchronized List<String> names() {
		return List.copyOf(this.names);
	}

	synchronized List<PodSummary> pods(String namespace) {
		return this.pods.values().stream().filter((pod) -> pod.namespace().equals(namespace)).toList();
	}

	synchronized List<Rollout> rollouts(String namespace) {
		return this.rollouts.values()
			.stream()
			.filter((rollout) -> rollout.deployment().startsWith(namespace + "/"))
			.toList();
	}

	@Override
	public synchronized void onSubscribe(Flow.Subscription subscription) {
		this.subscription = subscription;
		subscription.request(Long.MAX_VALUE);
	}

	@Override
	public synchronized void onNext(String line) {
		if (line.startsWith("event:")) {
			this.name = line.substring("event:".length());
			this.names.add(this.name);
		}
		else if (line.startsWith("data:")) {
			apply(line.substring("data:".length()));
		}
	}

	private void apply(String data) {
		switch (this.name) {
			case "snapshot" -> {
				Snapshot snapshot = json.readValue(data, Snapshot.class);
				this.pods.clear();
				this.rollouts.clear();
				snapshot.pods().forEach((pod) -> this.pods.put(key(pod), pod));
				snapshot.rollouts().forEach((rollout) -> this.rollouts.put(rollout.deployment(), rollout));
			}
			case "pod" -> {
				PodSummary pod = json.readValue(data, PodSummary.class);
				this.pods.put(key(pod), pod);
			}
			case "pod-gone" -> this.pods.remove(key(json.readValue(data, PodSummary.class)));
			case "rollout" -> {
				Rollout rollout = json.readValue(data, Rollout.class);
				this.rollouts.put(rollout.deployment(), rollout);
			}
			case "rollout-gone" -> this.rollouts.remove(json.readValue(data, Rollout.class).deployment());
			default -> {
			}
		}
	}

	private static String key(PodSummary pod) {
		return pod.namespace() + "/" + pod.name();
	}

	@Override
	public void onError(Throwable failure) {
	}

	@Override
	public void onComplete() {
	}

	@Override
	public synchronized void close() {
		if (this.subscription != null) {
			this.subscription.cancel();
		}
		this.response.cancel(true);
	}

}
