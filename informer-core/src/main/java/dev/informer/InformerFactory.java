/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.util.generic.dynamic.DynamicKubernetesObject;
import org.jspecify.annotations.Nullable;

/**
 * Makes informers that share a connection, and shares them: whoever asks for the same
 * resource, namespaces and selectors under the same name gets the same informer.
 * <p>
 * Thread-safe.
 */
public interface InformerFactory extends AutoCloseable {

	/**
	 * Creates a factory.
	 * @param apiClient the connection; its credentials, TLS and base path are used, by a
	 * client derived from it
	 * @return the factory
	 */
	static InformerFactory create(ApiClient apiClient) {
		return create(() -> apiClient, (settings) -> {
		});
	}

	/**
	 * Creates a factory.
	 * @param apiClient gives the connection, asked once, when the first informer starts
	 * @param settings changes the settings
	 * @return the factory
	 */
	static InformerFactory create(Supplier<ApiClient> apiClient, Consumer<Settings> settings) {
		Settings changed = new Settings();
		settings.accept(changed);
		Provider provider = ServiceLoader.load(Provider.class, InformerFactory.class.getClassLoader())
			.findFirst()
			.orElseThrow(() -> new IllegalStateException("No " + Provider.class.getName()
					+ " in META-INF/services: when jars are merged, their service files have to be merged as well"));
		return provider.create(apiClient, changed);
	}

	/**
	 * Gets the informer of a resource in all namespaces.
	 * @param <T> the type of the objects
	 * @param type a model of the official client, or a class with {@link CustomResource}
	 * @return the informer
	 * @throws IllegalArgumentException when the class is no model of a resource
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> informer(Class<T> type) {
		return informer(type, (options) -> {
		});
	}

	/**
	 * Gets the informer of a resource.
	 * @param <T> the type of the objects
	 * @param type a model of the official client, or a class with {@link CustomResource}
	 * @param options says what to look at
	 * @return the informer
	 * @throws IllegalArgumentException when the class is no model of a resource, an
	 * option makes no sense, or the name belongs to an informer that looks at something
	 * else
	 */
	default <T extends KubernetesObject> SharedIndexInformer<T> informer(Class<T> type,
			Consumer<InformerOptions.Builder> options) {
		return informer(ResourceType.of(type), options);
	}

	/**
	 * Gets the informer of a resource.
	 * @param <T> the type of the objects
	 * @param resourceType the resource
	 * @param options says what to look at
	 * @return the informer
	 * @throws IllegalArgumentException when an option makes no sense, or the name belongs
	 * to an informer that looks at something else
	 */
	<T extends KubernetesObject> SharedIndexInformer<T> informer(ResourceType<T> resourceType,
			Consumer<InformerOptions.Builder> options);

	/**
	 * Gets the informer of a resource whose objects have no class of their own, in all
	 * namespaces.
	 * @param resource {@code plural.version.group}, such as
	 * {@code certificates.v1.cert-manager.io}
	 * @return the informer
	 * @see #informer(String, Consumer)
	 */
	default SharedIndexInformer<DynamicKubernetesObject> informer(String resource) {
		return informer(resource, (options) -> {
		});
	}

	/**
	 * Gets the informer of a resource whose objects have no class of their own. Asks the
	 * API server what it is, here and now; who cannot wait for that has it asked when the
	 * informer starts, by {@link ResourceType#named(Class, String)}, or says it by
	 * {@link ResourceType#dynamic(String, String, String, String, boolean)}.
	 * @param resource {@code plural.version.group}, such as
	 * {@code certificates.v1.cert-manager.io}, or {@code plural.group} for the version
	 * that the server prefers; the core group is left out
	 * @param options says what to look at
	 * @return the informer
	 * @throws IllegalArgumentException when the server does not serve such a resource, an
	 * option makes no sense, or the name belongs to an informer that looks at something
	 * else
	 * @throws IllegalStateException when the server does not say what the resource is
	 */
	default SharedIndexInformer<DynamicKubernetesObject> informer(String resource,
			Consumer<InformerOptions.Builder> options) {
		return informer(discover(DynamicKubernetesObject.class, resource), options);
	}

	/**
	 * Gets the informer of the metadata of a resource: the server is asked to send
	 * nothing else. Its name is the plural with {@code -metadata} unless it is given one.
	 * @param type a model of the official client, or a class with {@link CustomResource}
	 * @param options says what to look at
	 * @return the informer
	 * @throws IllegalArgumentException when the class is no model of a resource, an
	 * option makes no sense, or the name belongs to an informer that looks at something
	 * else
	 * @see ResourceType#metadataOnly()
	 */
	default SharedIndexInformer<PartialObjectMetadata> metadataInformer(Class<? extends KubernetesObject> type,
			Consumer<InformerOptions.Builder> options) {
		return informer(ResourceType.of(type).metadataOnly(), options);
	}

	/**
	 * Asks the API server, here and now, what a resource is.
	 * @param <T> the type of the objects
	 * @param type the class of its objects, which needs no {@link CustomResource} then
	 * @param resource {@code plural.version.group}, or {@code plural.group} for the
	 * version that the server prefers; the core group is left out
	 * @return the resource
	 * @throws IllegalArgumentException when the server does not serve such a resource to
	 * be listed and watched
	 * @throws IllegalStateException when the server does not say
	 */
	<T extends KubernetesObject> ResourceType<T> discover(Class<T> type, String resource);

	/**
	 * The informers made so far.
	 * @return the informers
	 */
	List<SharedIndexInformer<?>> informers();

	/**
	 * Closes an informer for good, without waiting for what is queued, and forgets it:
	 * its name is free again, and nobody is held back on its account. Does nothing when
	 * it is none of this factory, or not any more.
	 * @param informer the informer
	 */
	void remove(SharedIndexInformer<?> informer);

	/**
	 * Starts all informers. Returns at once.
	 */
	void start();

	/**
	 * Waits until all informers have synced.
	 * @param timeout how long to wait at most, for all of them together
	 * @return whether they all have
	 * @throws InformerFailedException when one has given up for good
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean awaitSynced(Duration timeout) throws InterruptedException;

	/**
	 * Holds back the handlers of all informers of this factory, those added later
	 * included, until some informers have synced: then a handler that looks into the
	 * local copy of another resource finds it complete. What they are to be told is kept
	 * meanwhile, bounded as their {@link QueuePolicy} says. To be called before the
	 * start; calls that are running go on.
	 * <p>
	 * An informer that gives up for good is not waited for any longer. One that just does
	 * not get through, for want of a right or of a server, is waited for until
	 * {@link #releaseHandlers()}. Once released, handlers stay so over a stop and a
	 * start.
	 * @param untilSynced whom to wait for, all of them together; those that have synced
	 * already hold nothing back
	 * @throws IllegalArgumentException when one of them belongs to another factory
	 */
	void holdHandlers(Collection<? extends SharedIndexInformer<?>> untilSynced);

	/**
	 * Lets the handlers go on that {@link #holdHandlers} holds back, whoever has not
	 * synced. Does nothing when none are held back.
	 */
	void releaseHandlers();

	/**
	 * Calls no handler any more until {@link #releaseHandlers()} or
	 * {@link #holdHandlers}, handlers added later included, and waits for the calls that
	 * are running. What happens meanwhile is kept for the handlers, the local copies
	 * follow the server. The first half of a stop: {@link #stop(Duration)} then lets
	 * nobody go on with what is queued.
	 * @param timeout how long to wait for all calls together; those that go on after that
	 * are interrupted
	 * @return whether no call is running any more
	 * @throws InterruptedException when the waiting thread is interrupted
	 */
	boolean suspendHandlers(Duration timeout) throws InterruptedException;

	/**
	 * Whether no handler is called because of {@link #suspendHandlers(Duration)}.
	 * @return whether the handlers are suspended
	 */
	boolean areHandlersSuspended();

	/**
	 * Stops all informers at once. They can be started again.
	 * @param drain how long all handlers together may go on with what is queued, unless
	 * they are {@link #suspendHandlers suspended}
	 * @see SharedIndexInformer#stop(Duration)
	 */
	void stop(Duration drain);

	/**
	 * Closes all informers and their connections for good.
	 */
	@Override
	void close();

	/**
	 * Settings of a factory. Not thread-safe.
	 */
	final class Settings {

		private ThreadFactory threadFactory = (task) -> {
			Thread thread = new Thread(task);
			thread.setDaemon(true);
			return thread;
		};

		private InformerListener listener = new InformerListener() {
		};

		private @Nullable HandlerInterceptor interceptor;

		private InformerOptions defaults = InformerOptions.DEFAULT;

		private TimeSource time = TimeSource.SYSTEM;

		/**
		 * Sets what makes the threads, daemons of the platform by default. The informers
		 * give them their names.
		 * @param threadFactory makes the threads
		 * @return these settings
		 */
		public Settings threadFactory(ThreadFactory threadFactory) {
			this.threadFactory = threadFactory;
			return this;
		}

		/**
		 * Sets who hears what happens inside the informers.
		 * @param listener the listener
		 * @return these settings
		 */
		public Settings listener(InformerListener listener) {
			this.listener = listener;
			return this;
		}

		/**
		 * Sets what stands around the calls of handlers, nothing by default.
		 * @param interceptor the interceptor; {@code null} for none
		 * @return these settings
		 */
		public Settings interceptor(@Nullable HandlerInterceptor interceptor) {
			this.interceptor = interceptor;
			return this;
		}

		/**
		 * Sets the options that informers have unless they say otherwise.
		 * @param defaults the options
		 * @return these settings
		 */
		public Settings defaults(InformerOptions defaults) {
			this.defaults = defaults;
			return this;
		}

		/**
		 * Sets what tells the time, that of this machine by default.
		 * @param time the time
		 * @return these settings
		 */
		public Settings time(TimeSource time) {
			this.time = time;
			return this;
		}

		/**
		 * What makes the threads.
		 * @return the thread factory
		 */
		public ThreadFactory threadFactory() {
			return this.threadFactory;
		}

		/**
		 * Who hears what happens inside the informers.
		 * @return the listener
		 */
		public InformerListener listener() {
			return this.listener;
		}

		/**
		 * What stands around the calls of handlers.
		 * @return the interceptor; {@code null} for none
		 */
		public @Nullable HandlerInterceptor interceptor() {
			return this.interceptor;
		}

		/**
		 * The options that informers have unless they say otherwise.
		 * @return the options
		 */
		public InformerOptions defaults() {
			return this.defaults;
		}

		/**
		 * What tells the time.
		 * @return the time
		 */
		public TimeSource time() {
			return this.time;
		}

	}

	/**
	 * Makes factories. Found through {@link ServiceLoader}, so that what users touch does
	 * not depend on what is behind it.
	 */
	interface Provider {

		/**
		 * Creates a factory.
		 * @param apiClient gives the connection
		 * @param settings the settings
		 * @return the factory
		 */
		InformerFactory create(Supplier<ApiClient> apiClient, Settings settings);

	}

}
