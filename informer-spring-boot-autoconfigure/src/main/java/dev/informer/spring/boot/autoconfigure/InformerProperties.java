/*
 * Copyright 2026-present the original author or authors.
 * SPDX-License-Identifier: Apache-2.0
 */

package dev.informer.spring.boot.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.informer.spring.config.OnTimeout;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/**
 * Properties of the informers. Keys that are not known are refused.
 */
@ConfigurationProperties(prefix = "informer", ignoreUnknownFields = false)
public class InformerProperties {

	/**
	 * Whether to start the informers with the application. Without, all beans are there
	 * but nothing is contacted or looked up until the InformerRegistry is started.
	 */
	private boolean autoStartup = true;

	/**
	 * Whether to make observations of the calls of handlers, which give traces and the
	 * timer of the calls. The initial list is left out.
	 */
	private boolean observationEnabled;

	private final Startup startup = new Startup();

	@NestedConfigurationProperty
	private final DefaultsProperties defaults = new DefaultsProperties();

	/**
	 * Informers by name. A name that is the plural of a resource configures its default
	 * informer; any other name declares a further one.
	 */
	private final Map<String, ResourceProperties> resources = new LinkedHashMap<>();

	/**
	 * Handlers by id, over what their annotation says.
	 */
	private final Map<String, HandlerProperties> handlers = new LinkedHashMap<>();

	private final Connection connection = new Connection();

	private final Health health = new Health();

	public boolean isAutoStartup() {
		return this.autoStartup;
	}

	public void setAutoStartup(boolean autoStartup) {
		this.autoStartup = autoStartup;
	}

	public boolean isObservationEnabled() {
		return this.observationEnabled;
	}

	public void setObservationEnabled(boolean observationEnabled) {
		this.observationEnabled = observationEnabled;
	}

	public Startup getStartup() {
		return this.startup;
	}

	public DefaultsProperties getDefaults() {
		return this.defaults;
	}

	public Map<String, ResourceProperties> getResources() {
		return this.resources;
	}

	public Map<String, HandlerProperties> getHandlers() {
		return this.handlers;
	}

	public Connection getConnection() {
		return this.connection;
	}

	public Health getHealth() {
		return this.health;
	}

	/**
	 * How the application waits for its informers when it starts.
	 */
	public static class Startup {

		/**
		 * How long to wait for all required informers together.
		 */
		private Duration timeout = Duration.ofSeconds(30);

		/**
		 * What to do when required informers have not synced in time.
		 */
		private OnTimeout onTimeout = OnTimeout.FAIL;

		/**
		 * Whether handlers are called only once all required informers have synced, or
		 * the application starts without.
		 */
		private boolean holdHandlers = true;

		public Duration getTimeout() {
			return this.timeout;
		}

		public void setTimeout(Duration timeout) {
			this.timeout = timeout;
		}

		public OnTimeout getOnTimeout() {
			return this.onTimeout;
		}

		public void setOnTimeout(OnTimeout onTimeout) {
			this.onTimeout = onTimeout;
		}

		public boolean isHoldHandlers() {
			return this.holdHandlers;
		}

		public void setHoldHandlers(boolean holdHandlers) {
			this.holdHandlers = holdHandlers;
		}

	}

	/**
	 * How to reach the API server. Without any of this it is the kubeconfig of the
	 * environment or the cluster that the application runs in.
	 */
	public static class Connection {

		/**
		 * Kubeconfig to use in place of $KUBECONFIG and ~/.kube/config.
		 */
		private @Nullable File kubeconfig;

		/**
		 * Context within the kubeconfig, in place of its current one.
		 */
		private @Nullable String context;

		/**
		 * URL of the API server, in place of a kubeconfig.
		 */
		private @Nullable String url;

		/**
		 * Certificate that the server at the URL must be signed with: a file, or PEM
		 * content.
		 */
		private @Nullable String caCertificate;

		/**
		 * Bearer token for the server at the URL.
		 */
		private @Nullable String token;

		/**
		 * File with the bearer token for the server at the URL. It is read again when it
		 * has changed.
		 */
		private @Nullable File tokenFile;

		/**
		 * Namespace that "@current" stands for, in place of the one of the kubeconfig's
		 * context or of the service account.
		 */
		private @Nullable String namespace;

		/**
		 * Whether to verify the certificate of the server at the URL. True by default.
		 */
		private @Nullable Boolean verifyTls;

		public @Nullable File getKubeconfig() {
			return this.kubeconfig;
		}

		public void setKubeconfig(@Nullable File kubeconfig) {
			this.kubeconfig = kubeconfig;
		}

		public @Nullable String getContext() {
			return this.context;
		}

		public void setContext(@Nullable String context) {
			this.context = context;
		}

		public @Nullable String getUrl() {
			return this.url;
		}

		public void setUrl(@Nullable String url) {
			this.url = url;
		}

		public @Nullable String getCaCertificate() {
			return this.caCertificate;
		}

		public void setCaCertificate(@Nullable String caCertificate) {
			this.caCertificate = caCertificate;
		}

		public @Nullable String getToken() {
			return this.token;
		}

		public void setToken(@Nullable String token) {
			this.token = token;
		}

		public @Nullable File getTokenFile() {
			return this.tokenFile;
		}

		public void setTokenFile(@Nullable File tokenFile) {
			this.tokenFile = tokenFile;
		}

		public @Nullable String getNamespace() {
			return this.namespace;
		}

		public void setNamespace(@Nullable String namespace) {
			this.namespace = namespace;
		}

		public @Nullable Boolean getVerifyTls() {
			return this.verifyTls;
		}

		public void setVerifyTls(@Nullable Boolean verifyTls) {
			this.verifyTls = verifyTls;
		}

	}

	/**
	 * When informers are reported as unhealthy.
	 */
	public static class Health {

		/**
		 * How long an informer may be failing before its health is DOWN and an
		 * InformerStaleEvent is published.
		 */
		private Duration failingThreshold = Duration.ofMinutes(1);

		public Duration getFailingThreshold() {
			return this.failingThreshold;
		}

		public void setFailingThreshold(Duration failingThreshold) {
			this.failingThreshold = failingThreshold;
		}

	}

}
