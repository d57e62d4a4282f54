package dev.informer.spring.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.informer.ChangedPart;
import dev.informer.Lister;
import dev.informer.MutationDetection;
import dev.informer.QueuePolicy;
import dev.informer.spring.registry.HandlerSettings;
import dev.informer.spring.registry.OnTimeout;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;

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

	private final Defaults defaults = new Defaults();

	/**
	 * Informers by name. A name that is the plural of a resource configures its default
	 * informer; any other name declares a further one.
	 */
	private final Map<String, Resource> resources = new LinkedHashMap<>();

	/**
	 * Handlers by id, over what their annotation says.
	 */
	private final Map<String, Handler> handlers = new LinkedHashMap<>();

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

	public Defaults getDefaults() {
		return this.defaults;
	}

	public Map<String, Resource> getResources() {
		return this.resources;
	}

	public Map<String, Handler> getHandlers() {
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
	 * What holds for every informer and handler that does not say otherwise.
	 */
	public static class Defaults {

		/**
		 * How often handlers are told every object again though nothing has changed. 0
		 * for never.
		 */
		private Duration resyncPeriod = Duration.ZERO;

		private final Backoff backoff = new Backoff();

		/**
		 * How many objects a page of a list may have.
		 */
		private int pageSize = 500;

		/**
		 * When the server shall end a watch at the earliest, at the latest after twice as
		 * long.
		 */
		private Duration watchTimeout = Duration.ofMinutes(5);

		/**
		 * How long a watch may be silent before its connection counts as dead, once it is
		 * known to get bookmarks.
		 */
		private Duration silenceLimit = Duration.ofMinutes(3);

		/**
		 * Whether to read the state as the first events of a watch where the server can
		 * do that.
		 */
		private boolean streamingList = false;

		/**
		 * Whether objects have their managedFields, which take about a third of their
		 * memory more.
		 */
		private boolean managedFields = false;

		/**
		 * Whether the local copy can be read before it is complete for the first time.
		 */
		private boolean readBeforeSync = false;

		/**
		 * What to do about code that changes the shared objects of the local copy. Costs
		 * much, for tests.
		 */
		private MutationDetection mutationDetection = MutationDetection.OFF;

		public Duration getResyncPeriod() {
			return this.resyncPeriod;
		}

		public void setResyncPeriod(Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
		}

		public Backoff getBackoff() {
			return this.backoff;
		}

		public int getPageSize() {
			return this.pageSize;
		}

		public void setPageSize(int pageSize) {
			this.pageSize = pageSize;
		}

		public Duration getSilenceLimit() {
			return this.silenceLimit;
		}

		public void setSilenceLimit(Duration silenceLimit) {
			this.silenceLimit = silenceLimit;
		}

		public boolean isStreamingList() {
			return this.streamingList;
		}

		public void setStreamingList(boolean streamingList) {
			this.streamingList = streamingList;
		}

		public boolean isManagedFields() {
			return this.managedFields;
		}

		public void setManagedFields(boolean managedFields) {
			this.managedFields = managedFields;
		}

		public boolean isReadBeforeSync() {
			return this.readBeforeSync;
		}

		public void setReadBeforeSync(boolean readBeforeSync) {
			this.readBeforeSync = readBeforeSync;
		}

		public MutationDetection getMutationDetection() {
			return this.mutationDetection;
		}

		public void setMutationDetection(MutationDetection mutationDetection) {
			this.mutationDetection = mutationDetection;
		}

		public Duration getWatchTimeout() {
			return this.watchTimeout;
		}

		public void setWatchTimeout(Duration watchTimeout) {
			this.watchTimeout = watchTimeout;
		}

	}

	/**
	 * How long to wait between attempts that fail.
	 */
	public static class Backoff {

		/**
		 * First delay.
		 */
		private Duration initial = Duration.ofMillis(800);

		/**
		 * Longest delay, before the jitter.
		 */
		private Duration max = Duration.ofSeconds(30);

		/**
		 * By how much a delay is longer than the one before. At least 1.
		 */
		private double factor = 2.0;

		/**
		 * Largest random share of the delay on top of it. 0 for none.
		 */
		private double jitter = 1.0;

		/**
		 * How long there must be no failure before the next one waits the first delay
		 * again.
		 */
		private Duration resetAfter = Duration.ofMinutes(2);

		public Duration getInitial() {
			return this.initial;
		}

		public void setInitial(Duration initial) {
			this.initial = initial;
		}

		public Duration getMax() {
			return this.max;
		}

		public void setMax(Duration max) {
			this.max = max;
		}

		public double getFactor() {
			return this.factor;
		}

		public void setFactor(double factor) {
			this.factor = factor;
		}

		public double getJitter() {
			return this.jitter;
		}

		public void setJitter(double jitter) {
			this.jitter = jitter;
		}

		public Duration getResetAfter() {
			return this.resetAfter;
		}

		public void setResetAfter(Duration resetAfter) {
			this.resetAfter = resetAfter;
		}

	}

	/**
	 * One informer.
	 */
	@ConfigurationPropertiesSource
	public static class Resource {

		/**
		 * Resource to look at: plural, or plural and group such as deployments.apps, or
		 * plural, version and group. By default the name of the informer. Objects of a
		 * resource that nobody has a class of are DynamicKubernetesObjects.
		 */
		private @Nullable String resource;

		/**
		 * Class of the objects: a model of the official client or a class annotated with
		 * CustomResource, in place of the resource, or any other KubernetesObject of the
		 * resource.
		 */
		private @Nullable Class<?> type;

		/**
		 * Whether the metadata of the objects is enough. The server sends nothing else,
		 * and the objects are PartialObjectMetadata.
		 */
		private boolean metadataOnly = false;

		/**
		 * Namespaces to look at. "@current" is the one of the connection. All when left
		 * out.
		 */
		private List<String> namespaces = new ArrayList<>();

		/**
		 * Which labels the objects must have, as kubectl -l takes it.
		 */
		private @Nullable String labelSelector;

		/**
		 * Which fields the objects must have, as kubectl --field-selector takes it.
		 */
		private @Nullable String fieldSelector;

		/**
		 * Whether the start of the application waits for this informer and fails without
		 * it.
		 */
		private boolean required = true;

		/**
		 * How many objects a page of a list may have, in place of the default.
		 */
		private @Nullable Integer pageSize;

		/**
		 * When the server shall end a watch at the earliest, in place of the default.
		 */
		private @Nullable Duration watchTimeout;

		/**
		 * How long a watch may be silent before its connection counts as dead, once it is
		 * known to get bookmarks. As informer.defaults says when not given.
		 */
		private @Nullable Duration silenceLimit;

		/**
		 * Whether to read the state as the first events of a watch where the server can
		 * do that. As informer.defaults says when not given.
		 */
		private @Nullable Boolean streamingList;

		/**
		 * Whether objects have their managedFields. As informer.defaults says when not
		 * given.
		 */
		private @Nullable Boolean managedFields;

		/**
		 * Whether the local copy can be read before it is complete for the first time. As
		 * informer.defaults says when not given.
		 */
		private @Nullable Boolean readBeforeSync;

		/**
		 * What to do about code that changes the shared objects of the local copy. As
		 * informer.defaults says when not given.
		 */
		private @Nullable MutationDetection mutationDetection;

		/**
		 * Built-in indices to switch on: by label, by owner. None by default.
		 */
		private Set<BuiltInIndex> indices = EnumSet.noneOf(BuiltInIndex.class);

		private final ResourceBackoff backoff = new ResourceBackoff();

		private final Handler handler = new Handler();

		public @Nullable String getResource() {
			return this.resource;
		}

		public void setResource(@Nullable String resource) {
			this.resource = resource;
		}

		public @Nullable Class<?> getType() {
			return this.type;
		}

		public void setType(@Nullable Class<?> type) {
			this.type = type;
		}

		public boolean isMetadataOnly() {
			return this.metadataOnly;
		}

		public void setMetadataOnly(boolean metadataOnly) {
			this.metadataOnly = metadataOnly;
		}

		public List<String> getNamespaces() {
			return this.namespaces;
		}

		public void setNamespaces(List<String> namespaces) {
			this.namespaces = namespaces;
		}

		public @Nullable String getLabelSelector() {
			return this.labelSelector;
		}

		public void setLabelSelector(@Nullable String labelSelector) {
			this.labelSelector = labelSelector;
		}

		public @Nullable String getFieldSelector() {
			return this.fieldSelector;
		}

		public void setFieldSelector(@Nullable String fieldSelector) {
			this.fieldSelector = fieldSelector;
		}

		public boolean isRequired() {
			return this.required;
		}

		public void setRequired(boolean required) {
			this.required = required;
		}

		public @Nullable Integer getPageSize() {
			return this.pageSize;
		}

		public void setPageSize(@Nullable Integer pageSize) {
			this.pageSize = pageSize;
		}

		public @Nullable Duration getSilenceLimit() {
			return this.silenceLimit;
		}

		public void setSilenceLimit(@Nullable Duration silenceLimit) {
			this.silenceLimit = silenceLimit;
		}

		public @Nullable Boolean getStreamingList() {
			return this.streamingList;
		}

		public void setStreamingList(@Nullable Boolean streamingList) {
			this.streamingList = streamingList;
		}

		public @Nullable Duration getWatchTimeout() {
			return this.watchTimeout;
		}

		public void setWatchTimeout(@Nullable Duration watchTimeout) {
			this.watchTimeout = watchTimeout;
		}

		public @Nullable Boolean getManagedFields() {
			return this.managedFields;
		}

		public void setManagedFields(@Nullable Boolean managedFields) {
			this.managedFields = managedFields;
		}

		public @Nullable Boolean getReadBeforeSync() {
			return this.readBeforeSync;
		}

		public void setReadBeforeSync(@Nullable Boolean readBeforeSync) {
			this.readBeforeSync = readBeforeSync;
		}

		public @Nullable MutationDetection getMutationDetection() {
			return this.mutationDetection;
		}

		public void setMutationDetection(@Nullable MutationDetection mutationDetection) {
			this.mutationDetection = mutationDetection;
		}

		public Set<BuiltInIndex> getIndices() {
			return this.indices;
		}

		public void setIndices(Set<BuiltInIndex> indices) {
			this.indices = indices;
		}

		public ResourceBackoff getBackoff() {
			return this.backoff;
		}

		public Handler getHandler() {
			return this.handler;
		}

	}

	/**
	 * How long one informer waits between attempts that fail.
	 */
	public static class ResourceBackoff {

		/**
		 * First delay, in place of the default.
		 */
		private @Nullable Duration initial;

		/**
		 * Longest delay, before the jitter, in place of the default.
		 */
		private @Nullable Duration max;

		/**
		 * By how much a delay is longer than the one before, in place of the default.
		 */
		private @Nullable Double factor;

		/**
		 * Largest random share of the delay on top of it, in place of the default.
		 */
		private @Nullable Double jitter;

		/**
		 * How long there must be no failure before the next one waits the first delay
		 * again, in place of the default.
		 */
		private @Nullable Duration resetAfter;

		public @Nullable Duration getInitial() {
			return this.initial;
		}

		public void setInitial(@Nullable Duration initial) {
			this.initial = initial;
		}

		public @Nullable Duration getMax() {
			return this.max;
		}

		public void setMax(@Nullable Duration max) {
			this.max = max;
		}

		public @Nullable Double getFactor() {
			return this.factor;
		}

		public void setFactor(@Nullable Double factor) {
			this.factor = factor;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
		}

		public @Nullable Duration getResetAfter() {
			return this.resetAfter;
		}

		public void setResetAfter(@Nullable Duration resetAfter) {
			this.resetAfter = resetAfter;
		}

	}

	/**
	 * How handlers want to be called.
	 */
	@ConfigurationPropertiesSource
	public static class Handler {

		/**
		 * How often every object is told again though nothing has changed. 0 for never.
		 */
		private @Nullable Duration resyncPeriod;

		/**
		 * What is kept while the handler is busy: for each object what it was told last
		 * and what is now (coalesce, by default), or every event (keep-all).
		 */
		private @Nullable QueuePolicy queue;

		/**
		 * Parts of an object that an update has to touch in order to be told. Every
		 * update is told by default.
		 */
		private @Nullable List<ChangedPart> changes;

		/**
		 * How many calls there may be at once, for different objects. 1 by default.
		 */
		private @Nullable Integer concurrency;

		/**
		 * Whether the handler is called as soon as its informer runs. Otherwise it is
		 * paused until it is resumed by the code of the application. True by default.
		 */
		private @Nullable Boolean autoStartup;

		private final Retry retry = new Retry();

		public @Nullable Duration getResyncPeriod() {
			return this.resyncPeriod;
		}

		public void setResyncPeriod(@Nullable Duration resyncPeriod) {
			this.resyncPeriod = resyncPeriod;
		}

		public @Nullable QueuePolicy getQueue() {
			return this.queue;
		}

		public void setQueue(@Nullable QueuePolicy queue) {
			this.queue = queue;
		}

		public @Nullable List<ChangedPart> getChanges() {
			return this.changes;
		}

		public void setChanges(@Nullable List<ChangedPart> changes) {
			this.changes = changes;
		}

		public @Nullable Integer getConcurrency() {
			return this.concurrency;
		}

		public void setConcurrency(@Nullable Integer concurrency) {
			this.concurrency = concurrency;
		}

		public @Nullable Boolean getAutoStartup() {
			return this.autoStartup;
		}

		public void setAutoStartup(@Nullable Boolean autoStartup) {
			this.autoStartup = autoStartup;
		}

		public Retry getRetry() {
			return this.retry;
		}

		HandlerSettings settings() {
			return new HandlerSettings(this.resyncPeriod, this.queue, this.changes, this.concurrency,
					new HandlerSettings.Retry(this.retry.maxAttempts, this.retry.initialDelay, this.retry.maxDelay,
							this.retry.factor, this.retry.jitter),
					this.autoStartup);
		}

	}

	/**
	 * How often a call of a handler that throws is tried again, and when.
	 */
	public static class Retry {

		/**
		 * How often a state of an object is told at most. 1 for no second attempt, 5 by
		 * default.
		 */
		private @Nullable Integer maxAttempts;

		/**
		 * First wait after a call that has thrown. 800ms by default.
		 */
		private @Nullable Duration initialDelay;

		/**
		 * Longest wait, before the jitter. 30s by default.
		 */
		private @Nullable Duration maxDelay;

		/**
		 * By how much a wait is longer than the one before. 2 by default.
		 */
		private @Nullable Double factor;

		/**
		 * Largest random share of the wait on top of it. 1 by default.
		 */
		private @Nullable Double jitter;

		public @Nullable Integer getMaxAttempts() {
			return this.maxAttempts;
		}

		public void setMaxAttempts(@Nullable Integer maxAttempts) {
			this.maxAttempts = maxAttempts;
		}

		public @Nullable Duration getInitialDelay() {
			return this.initialDelay;
		}

		public void setInitialDelay(@Nullable Duration initialDelay) {
			this.initialDelay = initialDelay;
		}

		public @Nullable Duration getMaxDelay() {
			return this.maxDelay;
		}

		public void setMaxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
		}

		public @Nullable Double getFactor() {
			return this.factor;
		}

		public void setFactor(@Nullable Double factor) {
			this.factor = factor;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
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

	/**
	 * An index that every informer can have.
	 */
	public enum BuiltInIndex {

		/** By the UIDs of the owners: {@link Lister#OWNER_INDEX}. */
		OWNER(Lister.OWNER_INDEX),

		/** By labels, each as {@code key=value}: {@link Lister#LABEL_INDEX}. */
		LABEL(Lister.LABEL_INDEX);

		private final String index;

		BuiltInIndex(String index) {
			this.index = index;
		}

		String index() {
			return this.index;
		}

	}

}
