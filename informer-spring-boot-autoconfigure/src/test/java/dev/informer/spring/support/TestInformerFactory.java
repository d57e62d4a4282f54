/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.support;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.informer.InformerFactory;
import dev.informer.InformerFailedException;
import dev.informer.InformerFailure;
import dev.informer.InformerListener;
import dev.informer.InformerOptions;
import dev.informer.InformerState;
import dev.informer.SharedIndexInformer;
import dev.informer.client.KubernetesConnection;
import dev.informer.client.ResourceType;
import dev.informer.client.TimeSource;
import io.kubernetes.client.common.KubernetesObject;

/**
 * Makes {@link TestInformer informers} that do what a test says.
 */
public final class TestInformerFactory implements InformerFactory {

	private final Map<String, TestInformer<?>> informers = new LinkedHashMap<>();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private volatile Consumer<TestInformer<?>> customizer;

	private final boolean syncsOnStart;

	private final List<InformerListener> listeners = new CopyOnWriteArrayList<>();

	private volatile boolean suspended;

	public TestInformerFactory() {
		this(true, (informer) -> {
		});
	}

	public TestInformerFactory(boolean syncsOnStart, Consumer<TestInformer<?>> customizer) {
		this.syncsOnStart = syncsOnStart;
		this.customizer = customizer;
	}

	/**
	 * Set what to do with informers that are created from now on.
	 */
	public void customizer(Consumer<TestInformer<?>> customizer) {
		this.customizer = customizer;
	}

	@Override
	@SuppressWarnings("unchecked")
	public synchronized <T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options) {
		InformerOptions.Builder builder = new InformerOptions.Builder(InformerOptions.DEFAULT);
		options.accept(builder);
		TestInformer<T> informer = new TestInformer<>(resourceType, builder.build(), this.syncsOnStart);
		TestInformer<?> known = this.informers.putIfAbsent(informer.name(), informer);
		if (known != null) {
			return (SharedIndexInformer<T>) known;
		}
		this.customizer.accept(informer);
		return informer;
	}

	@Override
	public <T extends KubernetesObject> ResourceType<T> discover(Class<T> type, String resource) {
		throw new UnsupportedOperationException();
	}

	@Override
	public TimeSource time() {
		return TimeSource.SYSTEM;
	}

	@Override
	public Thread newThread(String name, Runnable task) {
		return new Thread(task, name);
	}

	@Override
	public KubernetesConnection connection() {
		throw new UnsupportedOperationException();
	}

	@Override
	public synchronized void remove(SharedIndexInformer<?> informer) {
		this.informers.remove(informer.name(), informer);
		informer.close();
	}

	public List<String> calls() {
		return this.calls;
	}

	@Override
	public synchronized List<SharedIndexInformer<?>> informers() {
		return new ArrayList<>(this.informers.values());
	}

	@Override
	public void start() {
		informers().forEach(SharedIndexInformer::start);
	}

	@Override
	public void addListener(InformerListener listener) {
		this.listeners.add(listener);
	}

	/**
	 * Return a listener that notifies all listeners of this factory.
	 */
	public InformerListener listener() {
		return (event) -> this.listeners.forEach((listener) -> listener.onEvent(event));
	}

	@Override
	public boolean awaitSynced(Collection<? extends SharedIndexInformer<?>> informers, Duration timeout)
			throws InterruptedException {
		for (SharedIndexInformer<?> informer : informers) {
			InformerFailure failure = informer.state().failure();
			if (informer.state().phase() == InformerState.Phase.FAILED && failure != null) {
				throw new InformerFailedException(informer.name(), failure);
			}
		}
		long deadline = System.nanoTime() + TimeSource.nanos(timeout);
		boolean synced = true;
		for (SharedIndexInformer<?> informer : informers) {
			synced &= informer.awaitSynced(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
		}
		return synced;
	}

	@Override
	public void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced) {
		this.calls.add("hold " + untilSynced.stream().map(SharedIndexInformer::name).toList());
	}

	@Override
	public void releaseHandlers() {
		this.calls.add("release");
		this.suspended = false;
	}

	@Override
	public boolean suspendHandlers(Duration timeout) {
		this.calls.add("suspend " + seconds(timeout));
		this.suspended = true;
		return true;
	}

	@Override
	public boolean areHandlersSuspended() {
		return this.suspended;
	}

	@Override
	public void stop(Duration drain) {
		this.calls.add("stop " + seconds(drain));
		informers().forEach((informer) -> informer.stop(drain));
	}

	@Override
	public void close() {
		this.calls.add("close");
		informers().forEach(SharedIndexInformer::close);
	}

	/**
	 * Return the seconds that were left of a timeout, rounded up.
	 */
	private static long seconds(Duration timeout) {
		return timeout.plusMillis(999).toSeconds();
	}

}
