/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package com.example.rollouts;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.informer.Lister;
import io.kubernetes.client.openapi.models.V1Deployment;

import org.springframework.boot.task.SimpleAsyncTaskExecutorBuilder;
import org.springframework.context.SmartLifecycle;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * The connected browsers. Each has its own sending thread, so that no browser waits for
 * another. They are disconnected before the graceful shutdown of the web server, which
 * would otherwise wait for their requests.
 */
@Component
class Browsers implements SmartLifecycle {

	static final int LIMIT = 200;

	private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);

	private final Set<Browser> browsers = ConcurrentHashMap.newKeySet();

	private final Pods pods;

	private final Lister<V1Deployment> deployments;

	private final AsyncTaskExecutor executor;

	private volatile boolean running = true;

	Browsers(Pods pods, Lister<V1Deployment> deployments, SimpleAsyncTaskExecutorBuilder executor) {
		this.pods = pods;
		this.deployments = deployments;
		this.executor = executor.threadNamePrefix("browser-")
			.concurrencyLimit(LIMIT)
			.rejectTasksWhenLimitReached(true)
			.build();
	}

	/**
	 * Connect a browser.
	 * @return the connection
	 * @throws TaskRejectedException if the limit of browsers is reached
	 */
	SseEmitter connect() {
		SseEmitter emitter = new SseEmitter(0L);
		Browser browser = new Browser(emitter, this::snapshot, KEEP_ALIVE);
		emitter.onCompletion(browser::disconnect);
		this.executor.execute(() -> serve(browser));
		return emitter;
	}

	private void serve(Browser browser) {
		this.browsers.add(browser);
		try {
			if (!this.running) {
				browser.disconnect();
			}
			browser.run();
		}
		finally {
			this.browsers.remove(browser);
		}
	}

	void send(PageEvent event) {
		this.browsers.forEach((browser) -> browser.send(event));
	}

	private Snapshot snapshot() {
		return new Snapshot(this.pods.all(), this.deployments.list().stream().map(Rollout::of).toList());
	}

	int count() {
		return this.browsers.size();
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		this.browsers.forEach(Browser::disconnect);
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

}
